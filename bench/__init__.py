"""Measurements beside other engines; ``python -m bench`` runs them all and writes ``results.md``."""
