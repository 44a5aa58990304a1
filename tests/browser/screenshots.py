"""Pictures of the screens for the documentation: ``make screenshots`` writes ``docs/img``.

Looks at the sample hands, in a window of its own; needs Chromium (``make browser``).
"""

import sys
import tempfile
from contextlib import chdir
from pathlib import Path

import msgspec
from conftest import serving
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright
from walk import CHROMIUM, FLAGS, LOOKS, PATIENCE, opened, settled

from ingest.audit import examine
from ingest.load import load
from ingest.record import Claim, read_record, write_record
from ingest.rules.ruleset import load_any

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "img"
COLOURS = 128
"""Colours of a picture: enough for cards and text, a third of the bytes."""
ASKED = "SELECT rules, verdict, count(*) AS hands FROM hands GROUP BY ALL ORDER BY ALL"
SHOTS = (
    ("overview", "desk", "", 960),
    ("replay", "desk", "hand?hand={classic}&move=9", 960),
    ("replay-sandaha-dark", "dark", "hand?hand={sandaha}&move=30", 1100),
    ("replay-phone", "phone", "hand?hand={pagat}&move=20&lang=en", 1000),
    ("player", "english", "player?player=u17&rules=classic", 1100),
    ("compare", "desk", "compare?player=u17&other=bot-4&rules=classic", 1000),
    ("strategy", "desk", "strategy?rules=classic&section=leads", 1000),
    ("spots", "english", "spots?rules=classic&turn=follow&standing=solo&rank=2", 1100),
    ("findings", "desk", "findings?severity=fault", 1000),
    ("rules", "english", "rules?rules=four-player&with=classic&cards=4444&on=AA", 900),
    ("questions", "english", f"questions?sql={ASKED}", 900),
)
"""Name, look, address and height of each picture; ``{classic}`` is the first hand of that sample."""


def shoot(page: Page, name: str, height: int) -> None:
    """One picture, from the top, in few colours."""
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})
    settled(page)
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)} {path.stat().st_size // 1024} KB", flush=True)


def shoot_audit(browser: Browser, address: str) -> None:
    """The screen of an upload with its verdicts."""
    with browser.new_context(**LOOKS["desk"]) as context:
        page = opened(context, f"{address}/audit")
        page.set_input_files("input[type=file]", ROOT / "data" / "samples" / "platform.jsonl")
        expect(page.get_by_text("逐局结论")).to_be_visible()
        shoot(page, "audit", 960)


def samples(store: Path) -> dict[str, int]:
    """A store of the sample hands; of every sample the number of its first hand."""
    first, place = {}, 0
    with chdir(ROOT):  # what is loaded is named on the pictures
        for sample in sorted(Path("data/samples").glob("*.jsonl")):
            first[sample.stem] = place
            place += load([str(sample)], store).stored
    return first


def shoot_integrity(browser: Browser, folder: Path) -> None:
    """The screen of wrong scores, on the hands of a room where the rocket does not double."""
    law = load_any("classic")
    law = msgspec.structs.replace(law, score=msgspec.structs.replace(law.score, rocket_factor=1))
    records = [read_record(line)[0] for line in (ROOT / "data" / "samples" / "classic.jsonl").read_bytes().splitlines()]
    settled_so = [(record, examine(record, law).settled) for record in records if record is not None]
    claimed = [msgspec.structs.replace(record, claim=Claim(scores=told.scores)) for record, told in settled_so if told]
    (folder / "weekend.jsonl").write_bytes(b"".join(write_record(record) + b"\n" for record in claimed))
    with chdir(folder):
        load(["weekend.jsonl"], folder / "weekend")
    with serving(folder / "weekend") as address, browser.new_context(**LOOKS["dark"]) as context:
        shoot(opened(context, f"{address}/integrity?stat=integrity_settlement&lang=en"), "integrity", 1000)


def main(wanted: list[str]) -> None:
    """All pictures, or those that are named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        hands = samples(Path(folder) / "store")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with serving(Path(folder) / "store") as address:
            for name, look, where, height in [shot for shot in SHOTS if not wanted or shot[0] in wanted]:
                with browser.new_context(**LOOKS[look]) as context:
                    shoot(opened(context, f"{address}/{where.format(**hands)}"), name, height)
            if not wanted or "audit" in wanted:
                shoot_audit(browser, address)
        if not wanted or "integrity" in wanted:
            shoot_integrity(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
