"""Every sentence of the dashboard in Chinese and English: a module for each screen, ``TEXTS`` of all of them together.

A module that is put here is found. A key stands in one module only.
"""

import pkgutil
from importlib import import_module


def _together() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for module in pkgutil.iter_modules(__path__):
        told = import_module(f"{__name__}.{module.name}").TEXTS
        twice = found.keys() & told.keys()
        if twice:
            raise ValueError(f"said twice: {', '.join(sorted(twice))}")
        found |= told
    return found


TEXTS = _together()
