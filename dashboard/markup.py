"""Cards and plain text as HTML: faces with coloured suits, everything else letter for letter.

Whatever a log says goes through ``plain`` before it reaches a page.
"""

import html

from dashboard.bidi import isolated
from dashboard.text import say
from ingest.cards import RANKS, SUITS, UnreadableCards, split_cards

_SIGNS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}

FRAME = """<style>
@media (min-width: 800px) {[data-testid="stMainBlockContainer"] {padding: 3.5rem 2.5rem 4rem}}
[data-testid="stMarkdownContainer"] table {display: block; overflow-x: auto}
@keyframes fp-more {from, 95% {--fp-more: 2.5rem} to {--fp-more: 0px}}
</style>"""
"""The margins of the page, and how a table that goes on to the right fades out there."""

_BOX, _BESIDE = (f'[data-testid="stFileUploaderDropzone{part}"]' for part in ("", "Instructions"))


def upload_box() -> str:
    """The words of a box for files, which Streamlit has in English alone; how large they may be, the page says."""
    words = {f"{_BOX} button p": say("box.choose"), f'[class*="st-key-file"] {_BESIDE} span': say("box.drop")}
    rules = (
        f'{where} {{font-size: 0}} {where}::after {{font-size: .95rem; content: "{word}"}}'
        for where, word in words.items()
    )
    return f"<style>{' '.join(rules)}</style>"


STYLE = """<style>
.fp-card {display: inline-block; padding: 0 .28em; margin: 1px; border: 1px solid rgba(128,128,128,.45);
  border-radius: 4px; white-space: nowrap; font-variant-numeric: tabular-nums; line-height: 1.55}
.fp-red {color: #e03131; color: light-dark(#d92626, #ff6b6b)}
.fp-scroll {overflow-x: auto; scrollbar-width: thin; animation: fp-more linear; animation-timeline: scroll(self inline);
  mask-image: linear-gradient(to left, transparent, #000 var(--fp-more, 0px))}
.fp-table {border-collapse: collapse; width: 100%; font-size: .92rem}
.fp-table th {text-align: left; font-weight: 600; opacity: .7; white-space: nowrap}
.fp-table th, .fp-table td {padding: .3rem .6rem; border-bottom: 1px solid rgba(128,128,128,.22); vertical-align: top}
.fp-table .n {text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap}
.fp-who {display: inline-block; vertical-align: bottom; white-space: nowrap; max-width: 16em; overflow: hidden;
  text-overflow: ellipsis}
.fp-faulty td {background: rgba(224,49,49,.13)}
.fp-faulty td:first-child {box-shadow: inset 3px 0 #e03131}
.fp-noted td {background: rgba(240,160,20,.13)}
.fp-noted td:first-child {box-shadow: inset 3px 0 #f0a014}
.fp-rows td {white-space: nowrap; max-width: 26em; overflow: hidden; text-overflow: ellipsis}
.fp-rows th {cursor: help}
.fp-rows td[title] {text-decoration: underline dotted rgba(128,128,128,.6); text-underline-offset: .3em}
.fp-rows tr:hover td {background: rgba(128,128,128,.09)}
.fp-rows th:first-child, .fp-rows td:first-child {position: sticky; left: 0; background: var(--fp-ground, inherit)}
@media (max-width: 40rem) {.fp-rows th:first-child, .fp-rows td:first-child {max-width: 8em}}
.fp-rows small {opacity: .65; margin-left: .35em}
.fp-share {display: inline-block; min-width: 6.5em; padding: 0 .4em; border-radius: 3px; text-align: right;
  font-variant-numeric: tabular-nums; background: linear-gradient(to right, rgba(76,154,200,.38) var(--share),
  rgba(128,128,128,.14) var(--share))}
.fp-rows a, .fp-screen a {color: inherit; text-decoration-color: rgba(76,154,200,.9); text-underline-offset: .25em}
.fp-rows a:hover {color: #2f7fb3}
.fp-table td.fp-long {white-space: normal; min-width: 18em; max-width: 46em}
.fp-screen {border: 1px solid rgba(128,128,128,.3); border-left: 4px solid #8a8f98; border-radius: .4rem;
  padding: .5rem .9rem; margin: .45rem 0; line-height: 1.65}
.fp-screen.fp-look {border-left-color: #d55e00} .fp-screen.fp-unsure {border-left-color: #e69f00}
.fp-state {font-size: .84rem; padding: 0 .5em; border-radius: 1em; background: rgba(128,128,128,.18); margin-left: .4em}
.fp-mark {background: rgba(230,159,0,.28); color: inherit; padding: 0 .25em; border-radius: 3px}
.fp-tried {border: 1px solid rgba(128,128,128,.3); border-radius: .5rem; padding: .5rem .9rem; line-height: 2}
.fp-cards {display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: .7rem}
.fp-figure {border: 1px solid rgba(128,128,128,.3); border-radius: .5rem; padding: .6rem .9rem; min-width: 0;
  color: inherit; text-decoration: none; display: block}
a.fp-figure:hover {border-color: #4c9ac8}
.fp-figure b {display: block; font-size: 1.7rem; font-weight: 500; line-height: 1.35;
  font-variant-numeric: tabular-nums}
.fp-figure span {font-size: .9rem; opacity: .85} .fp-figure small {display: block; opacity: .65}
.fp-few td, .fp-table td.fp-few {color: rgba(128,128,128,.95)}
.fp-few td:first-child::after {content: " ·"; opacity: .7}
.fp-dim {opacity: .55}
.fp-note {border-left: 4px solid #f0a014; padding: .35rem .8rem; margin: .15rem 0}
.fp-fault {border-left: 4px solid #e03131; padding: .35rem .8rem; margin: .15rem 0}
.fp-where {opacity: .7; font-size: .86rem}
.fp-terms {font-size: 1.05rem; line-height: 2}
.fp-term {display: inline-block; text-align: center; white-space: nowrap}
.fp-term small {opacity: .7}
.fp-unit {font-weight: 700}
.fp-schema {border: 1px solid rgba(128,128,128,.3); border-radius: 8px; padding: .35rem .7rem; margin-bottom: .4rem}
.fp-schema summary {cursor: pointer}
.fp-schema small {opacity: .7}
.fp-schema dl {margin: .5rem 0 .2rem; font-size: .88rem; max-height: 26rem; overflow-y: auto}
.fp-schema dd {margin: 0 0 .4rem; opacity: .82}
.fp-plain {white-space: pre-wrap; overflow-wrap: anywhere}
</style>"""


def plain(text: object) -> str:
    """Any text as HTML that shows it letter for letter, and turns nothing that stands behind it."""
    return html.escape(isolated(str(text)))


def faces(cards: str, *, in_order: bool = False) -> str:
    """A card text as card faces, ``in_order`` of their ranks; a text that is none, as it stands."""
    try:
        found = split_cards(cards)
    except UnreadableCards:
        return plain(cards)
    return "".join(map(_face, sorted(found, key=_rank_and_suit) if in_order else found))


def _rank_and_suit(card: str) -> tuple[int, int]:
    return RANKS.index(card[-1]), SUITS.find(card[0])


def _face(card: str) -> str:
    if card in ("B", "R"):
        return f'<span class="fp-card{" fp-red" if card == "R" else ""}">{plain(say(f"joker.{card}"))}</span>'
    suit, rank = card[:-1], card[-1].replace("T", "10")
    return f'<span class="fp-card{" fp-red" if suit in ("H", "D") else ""}">{_SIGNS.get(suit, "")}{rank}</span>'


def table(head: list[str], rows: list[tuple[str, list[str]]], numeric: frozenset[int] = frozenset()) -> str:
    """A table of cells that are HTML already; with every row its class. ``numeric``: columns set to the right."""
    titles = "".join(f"<th{_right(i, numeric)}>{plain(title)}</th>" for i, title in enumerate(head))
    body = "".join(f'<tr class="{kind}">{_cells(cells, numeric)}</tr>' for kind, cells in rows)
    return f'<div class="fp-scroll"><table class="fp-table"><tr>{titles}</tr>{body}</table></div>'


def _cells(cells: list[str], numeric: frozenset[int]) -> str:
    return "".join(f"<td{_right(i, numeric)}>{cell}</td>" for i, cell in enumerate(cells))


def _right(column: int, numeric: frozenset[int]) -> str:
    return ' class="n"' if column in numeric else ""
