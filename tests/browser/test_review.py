"""Uploading, replaying and asking in a real browser, with names that would like to be more than names."""

import csv
import http.client
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from walk import (
    HOSTILE,
    MARKS,
    PATIENCE,
    Look,
    fits,
    lines,
    log,
    looks_sound,
    new_page,
    opened,
    picture,
    record,
    runs_nothing,
    settled,
    upload,
)

from dashboard.gate import FILES

pytestmark = MARKS

EXAMPLES = Path(__file__).parents[2] / "docs" / "own-formats"


@pytest.fixture
def context(context: Look) -> Iterator[Look]:
    """Windows whose pages are closed when a test is done with them: one that stays open goes on drawing."""
    used: list[BrowserContext] = []

    def of(look: str) -> BrowserContext:
        used.append(context(look))
        return used[-1]

    yield of
    for each in used:
        for page in each.pages:
            page.close()


def tells(sent: bytes | str, address: str) -> bool:
    """Whether a message to the server says that one stays at the move of the address."""
    (move,) = parse_qs(urlsplit(address).query)["move"]
    return isinstance(sent, bytes) and f'"move":"{move}"'.encode() in sent


def hostile_log() -> bytes:
    """Two hands of players whose names are HTML, Markdown, formulas and signs."""
    hands = []
    for number, scores in enumerate(([192, -96, -96], [180, -90, -90])):
        hands.append(
            record(number + 1, scores, HOSTILE[3 * number : 3 * number + 3]) | {"id": f"{HOSTILE[number]}-{number}"}
        )
    return lines(hands)


def to_hand(page: Page, row: int) -> None:
    """Click a row of the verdicts."""
    expect(page.get_by_test_id("data-grid-canvas").first).to_be_visible()
    page.get_by_test_id("stDataFrameResizable").first.click(position={"x": 16, "y": 35 * row + 17})
    expect(page.get_by_role("heading", name=re.compile("一局牌|One hand"))).to_be_visible()
    expect(page.locator(".replay .table")).to_be_visible()
    settled(page)


def taken(page: Page, kind: str) -> Path:
    """The report of an audit, downloaded."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=kind).click()
    return Path(waiting.value.path())


def row_of(verdict: dict[str, Any]) -> dict[str, Any]:
    """A verdict of the command line as the row of a table has it."""
    scores, findings = verdict["scores"] or [None] * 3, verdict["findings"]
    said = ("source", "line", "id", "rules", "verdict", "outcome", "landlord", "bid", "multiplier", "unit")
    return {key: verdict[key] for key in said} | {
        **{f"score_{seat}": score for seat, score in enumerate(scores)},
        "codes": " ".join(finding["code"] for finding in findings),
        "messages": "\n".join(finding["message"] for finding in findings),
    }


@pytest.mark.parametrize("look", ["phone", *(pytest.param(look, marks=pytest.mark.soak) for look in ("desk", "dark"))])
def test_an_upload_is_audited_reported_as_the_command_line_says_it_and_a_row_leads_to_its_hand(
    look, context, server, tmp_path, monkeypatch, commanded
):
    page = opened(context(look), f"{server}/audit")
    expect(page.get_by_text("还没有上传牌谱")).to_be_visible()
    upload(page)
    picture(page, f"audit-{look}")
    fits(page)
    (tmp_path / "牌谱.jsonl").write_bytes(log(12))
    monkeypatch.chdir(tmp_path)
    _, said, _ = commanded("audit", "牌谱.jsonl", "--json", "--lang", "zh")
    assert taken(page, "JSON Lines").read_bytes() == said.encode()
    verdicts = [row_of(json.loads(line)) for line in said.splitlines()]
    rows = pd.read_parquet(taken(page, "下载 Parquet"))
    assert rows.astype(object).where(rows.notna(), None).to_dict("records") == verdicts
    with taken(page, "下载 CSV").open(encoding="utf-8-sig", newline="") as file:
        assert [*csv.DictReader(file)] == [
            {key: "" if value is None else str(value) for key, value in verdict.items()} for verdict in verdicts
        ]
    to_hand(page, 5)  # the first that is faulty for its score alone
    expect(page.get_by_text("得分推导")).to_be_visible()
    assert "S603" in page.inner_text("[data-testid=stMain]")
    picture(page, f"hand-{look}")
    looks_sound(page)
    fits(page)


def test_the_replay_goes_by_keys_and_the_address_says_where(context, server):
    page = new_page(context("desk"))
    with page.expect_websocket(lambda socket: "_stcore" in socket.url) as server_of_page:
        page.goto(f"{server}/hand?hand=1")
    where = settled(page).locator(".replay .where")
    expect(where).to_have_text(re.compile("^1 / "))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(where).to_have_text(re.compile("^4 / "))
    assert "move=1" in page.url
    with server_of_page.value.expect_event("framesent", lambda sent: tells(sent, page.url), timeout=PATIENCE):
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        moved = where.inner_text()
    settled(page)  # the server has heard of it, and written the same address
    page.keyboard.press("ArrowLeft")
    one_less = f"{int(moved.split(' / ')[0]) - 1} / "
    expect(where).to_have_text(re.compile(f"^{one_less}"))  # a key is one step, however often the server answered
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text(moved)
    here = page.url
    page.reload()
    expect(where).to_have_text(moved)
    assert page.url == here
    page.locator(".replay select").select_option("1")
    expect(page.locator(".replay .self .name")).to_have_text("$x$")
    expect(page.locator(".replay .backs").first).to_be_visible()
    looks_sound(page)
    expect(page.get_by_test_id("stMain")).to_contain_text("现在只看")  # the server heard of it at once
    page.locator(".replay select").select_option("")
    expect(page.locator(".replay .backs")).to_have_count(0)  # and sends the other hands again when they are asked for
    expect(page.get_by_test_id("stMain")).not_to_contain_text("现在只看")


def test_findings_are_jumped_to_and_names_are_masked(context, server):
    page = opened(context("desk"), f"{server}/audit")
    upload(page, log(4).replace(b"0:BR", b"0:B3"))
    to_hand(page, 2)
    page.get_by_role("button", name="下一处问题").click()
    expect(page.locator(".replay .finding.fault")).to_be_visible()
    settled(page)
    page.get_by_text("隐去玩家姓名").click()
    expect(page.locator(".replay .name").first).to_have_text("玩家 1")
    for name in ("老王", "=1+1"):
        expect(page.get_by_test_id("stMain")).not_to_contain_text(name)
    assert "mask=1" in page.url


def test_a_masked_hand_is_sent_without_any_name_and_its_next_is_too(context, server):
    names = ["zq-one", "zq-two", "zq-three"]
    once, other = (record(number, [192, -96, -96], names) | {"id": "zq-id"} for number in (1, 3))
    page = opened(context("desk"), f"{server}/audit")
    upload(page, lines([once, once | {"id": "zq-other"}, other, once | {"id": "zq-last"}]))
    to_hand(page, 2)
    page.get_by_text("隐去玩家姓名").click()
    expect(page.locator(".replay .name").first).to_have_text("玩家 1")
    address = f"{settled(page).url}&player=zq-one"
    page.close()
    page, sent = new_page(context("desk")), []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(frame)))
    page.goto(address)
    expect(settled(page).get_by_text("R108", exact=True).first).to_be_visible()
    for code in ("R109", "R108"):
        page.get_by_role("button", name="下一局", exact=True).click()
        expect(page.get_by_text(code, exact=True).first).to_be_visible()
        assert "mask=1" in settled(page).url
    assert "zq" not in page.url + page.content()
    told = b"".join(each if isinstance(each, bytes) else each.encode() for each in sent)
    assert "玩家 3".encode() in told
    assert not [each for each in ("zq", "u0-", "牌谱.jsonl") if each.encode() in told]


def test_hostile_names_appear_letter_for_letter(context, server, tmp_path):
    page = opened(context("desk"), f"{server}/audit?lang=en")
    page.on("dialog", lambda _: pytest.fail("a name was run"))
    upload(page, hostile_log())
    for row in (1, 2):
        to_hand(page, row)
        settled(page)
        for name in HOSTILE[3 * row - 3 : 3 * row]:
            expect(page.get_by_test_id("stMain")).to_contain_text(name)
            assert name in page.locator(".replay .name").all_inner_texts()
        runs_nothing(page)
        page.get_by_role("link", name="Back to").click()
        expect(page.get_by_role("heading", name="Audit a log")).to_be_visible()
        settled(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Report HTML").click()
    waiting.value.save_as(tmp_path / "report.html")
    page.goto(f"file://{tmp_path / 'report.html'}")
    assert f"{HOSTILE[1]}-1" in page.inner_text("body")  # the hand that is faulty
    assert "landlord wins" in page.inner_text("body")


def test_a_log_of_ones_own_format_is_read_with_its_mapping(context, server):
    page = opened(context("english"), f"{server}/audit")
    page.set_input_files("[data-testid=stFileUploader] >> nth=0 >> input[type=file]", EXAMPLES / "moves.csv")
    expect(page.get_by_text("1 hands match")).to_be_visible()  # a file that nothing recognises
    settled(page)
    page.get_by_text("A log format of your own").click()
    mapping = page.locator(".st-key-mapping input[type=file]")
    wrong = (EXAMPLES / "moves.toml").read_bytes().replace(b"[always]", b"[always]\n'<b>x</b>:red[y]' = 1")
    mapping.set_input_files({"name": "<i>$m$</i>.toml", "mimeType": "application/toml", "buffer": wrong})
    expect(page.get_by_text("<i>$m$</i>.toml:7: always.<b>x</b>:red[y]: unknown key")).to_be_visible()
    runs_nothing(settled(page))
    mapping.set_input_files(EXAMPLES / "moves.toml")
    expect(page.get_by_text("File: moves.csv · moves.toml")).to_be_visible()
    expect(page.get_by_text("unknown key")).to_have_count(0)
    picture(page, "audit-own-format")
    to_hand(page, 1)
    expect(page.get_by_text("How the score comes about").or_(page.locator(".fp-terms")).first).to_be_visible()
    page.reload()
    expect(page.locator(".replay .table")).to_be_visible()
    looks_sound(settled(page))


def test_a_log_that_is_too_large_or_one_too_many_is_refused_at_the_limit_that_is_named(context, server):
    page = opened(context("desk"), f"{server}/audit")
    expect(page.get_by_text("单个文件不超过 3 MB")).to_be_visible()
    assert [
        _shown_for(page, part) for part in ("button p", "[data-testid=stFileUploaderDropzoneInstructions] span")
    ] == ["选择文件", "或拖到这里"]
    large = {"name": "large.jsonl", "mimeType": "application/json", "buffer": b"x" * (4 << 20)}
    page.set_input_files("input[type=file]", large)
    expect(page.get_by_text("must be 3", exact=False)).to_be_visible()
    expect(page.get_by_text("还没有上传牌谱")).to_be_visible()
    reads_no_more(page, server)


def _shown_for(page: Page, part: str) -> str:
    """The words that stand in place of those of the box for files."""
    box = page.locator("[data-testid=stFileUploader]")
    said: str = box.locator(part).first.evaluate("part => getComputedStyle(part, '::after').content")
    return said.strip('"')


def reads_no_more(page: Page, server: str) -> None:
    """Whatever asks the server, here a program that knows the address and the cookies of a page."""
    with page.expect_request(lambda asked: asked.method == "PUT") as waiting:
        upload(page)
    put = waiting.value
    path, _, _ = urlsplit(put.url).path.rpartition("/")
    cookies = "; ".join(f"{each['name']}={each['value']}" for each in page.context.cookies())
    kind = "multipart/form-data; boundary=b"
    headers = {"x-xsrftoken": put.headers["x-xsrftoken"], "cookie": cookies, "content-type": kind}
    form = b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nx\r\n--b--\r\n'
    parts = iter([form.partition(b"\r\n--b--")[0], *[b"x" * (1 << 16)] * 1000])
    assert put_to(server, f"{path}/endless", headers, parts) in (413, None)
    assert len(list(parts)) > 500  # of 64 MB less than half was taken, most of it by the system
    announced = headers | {"content-length": str(64 << 20)}
    assert put_to(server, f"{path}/large", announced, [b"x"]) == 413
    headers["content-length"] = str(len(form))
    told = [put_to(server, f"{path}/{number}", headers, [form]) for number in range(FILES)]
    assert told == [*[204] * (FILES - 1), 429]  # one is there already
    page.close()


def put_to(server: str, path: str, headers: dict[str, str], parts: Iterable[bytes]) -> int | None:
    """What the server answers to an upload; None where it hangs up. Without a length the parts come in chunks."""
    line = http.client.HTTPConnection(urlsplit(server).netloc, timeout=PATIENCE / 1000)
    is_chunked = "content-length" not in headers
    line.putrequest("PUT", path)
    for key, value in (headers | ({"transfer-encoding": "chunked"} if is_chunked else {})).items():
        line.putheader(key, value)
    try:
        line.endheaders(parts, encode_chunked=is_chunked)
        return line.getresponse().status
    except (BrokenPipeError, ConnectionResetError):
        return None
    finally:
        line.close()


def test_a_question_is_asked_answered_and_sent(context, server):
    page = opened(context("english"), f"{server}/questions")
    question = page.get_by_role("textbox", name="Question (SQL)")
    question.fill("SELECT name, count(*) AS hands FROM seats GROUP BY name ORDER BY name")
    question.press("Control+Enter")
    expect(page.get_by_text("rows in")).to_be_visible()
    settled(page)
    picture(page, "questions-english")
    page.reload()
    expect(page.get_by_text("3 rows in")).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download CSV").click()
    assert "'=1+1,40" in Path(waiting.value.path()).read_text("utf-8-sig")
    looks_sound(page)
