"""The doors: the command line and, later, the HTTP service."""
