"""The commands (record.md 7): a function each, which reads options and prints answers, no more."""
