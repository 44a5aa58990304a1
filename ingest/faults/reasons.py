"""Why a file, a hand or a field of it is not read, as those who read say it, in Chinese.

Knows sentences of our own, with places for what a log says there. A sentence that it does not know is told as it is.
"""

import re
from functools import cache

from ingest.faults.decoding import in_chinese as decoded_in_chinese

REASONS = (
    ("empty", "是空的"),
    ("none of the known formats", "不是任何已知的格式"),
    ("a pipe or a device, no file: - reads standard input", "是管道或设备，不是文件；用 - 读标准输入"),
    ("a tar archive: unpack it first", "是 tar 归档，请先解开"),
    ("an archive in an archive in an archive", "归档里的归档里还是归档"),
    ("the archive is empty", "归档是空的"),
    ("damaged archive: {why}", "归档已损坏：{why}"),
    ("damaged: {why}", "已损坏：{why}"),
    ("no Parquet: {why}", "不是 Parquet：{why}"),
    ("no CSV: {why}", "不是 CSV：{why}"),
    ("not JSON: {why}", "不是 JSON：{why}"),
    ("a pickle that is not read: {what}", "是不予读取的 pickle：{what}"),
    ("{number} columns are called {name}", "有 {number} 列都叫 {name}"),
    ("over {most} bytes", "超过 {most} 字节"),
    ("over {most} rows of one hand", "一局超过 {most} 行"),
    ("over {most} moves", "超过 {most} 步"),
    ("neither void, surrender nor escape:SEAT", "只能是 void、surrender 或 escape:座位号"),
    ("neither S, H, C, D nor NT", "只能是 S、H、C、D 或 NT"),
    ("no seat {seat}", "没有座位 {seat}"),
    ("no seat: {given}", "没有这样的座位：{given}"),
    ("{hands} hands for {players} players", "{players} 名玩家却有 {hands} 手牌"),
    ("{hands} hands in one game", "一局里有 {hands} 手牌"),
    ("{values} values for {players} players", "{players} 名玩家却有 {values} 个数"),
    ("{returns} returns for {players} players", "{players} 名玩家却有 {returns} 个得分"),
    ("not one payoff for each of 3 players", "不是 3 名玩家各一个得分"),
    ("not the rewards of the trajectories", "与各步的奖励不符"),
    ("impossible number: {given}", "不可能有这样的数：{given}"),
    ("impossible time: {given}", "不可能有这样的时间：{given}"),
    ("impossible score", "不可能有这样的得分"),
    ("{points} is not a whole number of 1/{unit} points", "{points} 不是 1/{unit} 分的整数倍"),
    ("{points} is not a whole number", "{points} 不是整数"),
    ("not a whole number: {given}", "不是整数：{given}"),
    ("no whole number: {given}", "不是整数：{given}"),
    ("neither true nor false: {given}", "既不是 true，也不是 false：{given}"),
    ("neither landlord nor peasant: {given}", "既不是 landlord，也不是 peasant：{given}"),
    ("neither landlord nor farmers: {given}", "既不是 landlord，也不是 farmers：{given}"),
    ("{number} landlords", "有 {number} 个地主"),
    ("no side: {given}", "不是任何一方：{given}"),
    ("no position: {given}", "没有这样的位置：{given}"),
    ("no position {number}", "没有位置 {number}"),
    ("no card {number}", "没有牌 {number}"),
    ("no bids: {given}", "不是叫分：{given}"),
    ("no player {given}", "没有玩家 {given}"),
    ("several players", "不止一名玩家"),
    ("player {number}", "是玩家 {number}"),
    ("seats {places} of 3 players", "3 名玩家的座位是 {places}"),
    ("not the three positions: {given}", "不是那三个位置：{given}"),
    ("not the seat of playerId {given}", "与 playerId {given} 的座位不符"),
    ("not a list: {given}", "不是列表：{given}"),
    ("not a text: {given}", "不是文字：{given}"),
    ("not a number: {given}", "不是数：{given}"),
    ("not a whole number of {unit}: {given}", "不是 {unit} 的整数倍：{given}"),
    ("not a time: {given}", "不是时间：{given}"),
    ("no zone: {given}", "没有时区：{given}"),
    ("before the hand began: {given}", "早于这一局开始：{given}"),
    ("the time when the hand began is not known: {given}", "不知道这一局何时开始：{given}"),
    ("cannot be kept: {given}", "无法保存：{given}"),
    ("a pass with cards: {given}", "不出却带着牌：{given}"),
    ("the same seat twice: {given}", "同一座位出现两次：{given}"),
    ("values for {count} seats: {given}", "{count} 个座位，值的个数不符：{given}"),
    ("not a list of plays", "不是出牌的列表"),
    ("not two plays", "不是两手出牌"),
    ("a play before the landlord's first", "地主还没出牌就有人出牌"),
    ("a seat is dealt two hands on one line", "一行里给同一座位发了两手牌"),
    ("a field that is given twice", "同一字段给了两次"),
    ("a position that is given twice", "同一位置给了两次"),
    ("initHands is there as well", "同时还有 initHands"),
    ("said in different ways", "前后说法不一"),
    ("not those of {place}", "与 {place} 的不符"),
    ("not the cards of {place}", "与 {place} 的牌不符"),
    ("not those shown before", "与先前亮出的不符"),
    ("not {said} as before", "先前是 {said}"),
    ("{end}, and yet seat {seat} left", "写着 {end}，却有座位 {seat} 离开"),
    ("its moves are not the first of those that stand elsewhere", "它的出牌不是别处所记的开头几手"),
    ("the hand of seat {seat} does not follow from the one before", "座位 {seat} 的手牌与前一次的接不上"),
    ("stands {times} times in one game", "一局里出现 {times} 次"),
    ("stands where turn {number} is due", "此处应为第 {number} 回合"),
    ("{responses} responses to {requests} requests", "{requests} 个请求却有 {responses} 个应答"),
    ("{before} bids before this seat's", "这个座位之前有 {before} 次叫分"),
    ("no bid tells which number the landlord has", "没有叫分能说明地主的编号"),
    ("action {action} is {meant}, and the log calls it {given}", "动作 {action} 是 {meant}，日志却写作 {given}"),
    ("the face-up card was dealt to nobody, so nobody speaks first", "明牌没有发给任何人，无人先叫"),
    (
        "fits openspiel-1 (deals 0-53, bids 54-57) and openspiel-3 (deals 51-104, bids 0-3): name one as the format",
        "既合 openspiel-1（发牌 0-53，叫分 54-57），又合 openspiel-3（发牌 51-104，叫分 0-3）：请指明格式",
    ),
    ("a game of {name}, not of {game}", "是 {name}，不是 {game}"),
    ("no game is named", "没有写明是什么游戏"),
    ("no request", "不是请求"),
    ("not a history of OpenSpiel", "不是 OpenSpiel 的历史"),
    ("not a game of RLCard", "不是 RLCard 的牌局"),
    ("not the trajectories of three seats", "不是三个座位的轨迹"),
    ("no replay of RLCard-Showdown", "不是 RLCard-Showdown 的回放"),
    ("a replay of Leduc Hold'em", "是 Leduc 扑克的回放"),
    ("not a HumanGameRecord", "不是 HumanGameRecord"),
    ("not a CCGC log", "不是 CCGC 的日志"),
    ("not a DouZero game", "不是 DouZero 的牌局"),
    ("not a Botzone {forms} log", "不是 Botzone 的日志（{forms}）"),
    ("not what a Botzone bot is given", "不是 Botzone 机器人收到的内容"),
    ("not a game of a FEGE18 log", "不是 FEGE18 日志里的牌局"),
)
"""English ↔ 中文. Where a sentence fits several, the first counts."""


def in_chinese(reason: str) -> str:
    """The same in Chinese, where it is one of these, or one of a decoder's."""
    for form, chinese in _forms():
        found = form.fullmatch(reason)
        if found is not None:
            told = {name: in_chinese(given) if name == "why" else given for name, given in found.groupdict().items()}
            return chinese.format_map(told)
    return decoded_in_chinese(reason)


@cache
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The sentences with groups in place of names."""
    return tuple((re.compile(_pattern(sentence), re.DOTALL), chinese) for sentence, chinese in REASONS)


def _pattern(sentence: str) -> str:
    pieces = re.split(r"\{(\w+)\}", sentence)
    return "".join(f"(?P<{piece}>.*)" if place % 2 else re.escape(piece) for place, piece in enumerate(pieces))
