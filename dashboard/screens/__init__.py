"""One page a file. Screens put questions and draw answers; they hold no SQL and no rules."""
