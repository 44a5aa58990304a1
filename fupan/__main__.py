"""``python -m fupan``."""

from fupan.cli import main

main()
