"""Questions to the store of verdicts."""
