"""What may be played, who wins, what it is worth: pure Python, no tables, no input or output but ruleset files."""
