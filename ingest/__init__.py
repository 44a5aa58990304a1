"""Logs in, verdicts out: everything from a line of a log to an audited, stored hand."""
