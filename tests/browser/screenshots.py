"""Pictures of the screens for the documentation: ``make screenshots`` writes ``docs/img``.

Looks at the sample hands, in a window of its own; needs Chromium (``make browser``).
"""

import tempfile
from pathlib import Path

from conftest import serving
from playwright.sync_api import Page, expect, sync_playwright
from walk import CHROMIUM, FLAGS, LOOKS, PATIENCE, opened, settled

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "img"
SHOTS = (
    ("overview", "desk", "", 1000),
    ("replay", "desk", "hand?hand=300&move=9", 1050),
    ("replay-sandaha-dark", "dark", "hand?hand=901&move=30", 1150),
    ("replay-phone", "phone", "hand?hand=541&move=20&lang=en", 1150),
    (
        "questions",
        "english",
        "questions?sql=SELECT rules, verdict, count(*) AS hands FROM hands GROUP BY ALL ORDER BY ALL",
        900,
    ),
    ("strategy", "desk", "strategy", 1100),
    ("integrity", "english", "integrity", 1000),
)
"""Name, look, address and height of each picture."""


def shoot(page: Page, name: str, height: int) -> None:
    """One picture, from the top."""
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})
    settled(page)
    page.screenshot(path=PICTURES / f"{name}.png")


def audit(page: Page) -> None:
    """The screen of an upload with its verdicts."""
    page.set_input_files("input[type=file]", ROOT / "data" / "samples" / "platform.jsonl")
    expect(page.get_by_text("逐局结论")).to_be_visible()
    settled(page)


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), ROOT / "data" / "samples") as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, look, where, height in SHOTS:
            with browser.new_context(**LOOKS[look]) as context:
                shoot(opened(context, f"{address}/{where}"), name, height)
        with browser.new_context(**LOOKS["desk"]) as context:
            page = opened(context, f"{address}/audit")
            audit(page)
            shoot(page, "audit", 1000)
        browser.close()


if __name__ == "__main__":
    main()
