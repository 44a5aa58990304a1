# name: repeated_deals
# title_zh: 重复的牌
# title_en: Repeated deals
# grain: one row per ruleset, deal mode and kind of repeat
# parameters: rules since until
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: deal_mode | text | 发牌方式 | Deal mode | 记录的标签 deal_mode | The record's tag deal_mode
# column: kind | text | 种类 | Kind | exact 完全相同、suits 只换了花色、turned 换了座位（花色或也换了） | exact the same, suits only suits renamed, turned from another seat on (suits perhaps renamed too)
# column: hands | count | 局数 | Hands | 每张牌都知道花色与所在的局 | Hands of which every card is known by its face
# column: pairs | count | 重复的对数 | Pairs | 两局一对；三局相同算三对 | Pairs of hands; three alike are three pairs
# column: expected | number | 期望 | Expected | 可靠洗牌至多期望的对数 | Pairs that a sound shuffle gives, at most
# column: expected_32 | number | 32 位种子 | 32-bit seeds | 种子只有 32 位时期望的对数 | Pairs to be expected of seeds of 32 bits
# column: expected_48 | number | 48 位种子 | 48-bit seeds | 种子只有 48 位时期望的对数 | Pairs to be expected of seeds of 48 bits
# column: bits | number | 相当于位数 | Bits | 有多少位种子会重复得这样多 | Seeds of how many bits would repeat as much
# column: p | number | p | p | 可靠洗牌出现任一重复的概率 | How likely a sound shuffle repeats at all
# column: score | number | 分值 | Score | p 的负常用对数，至多 16；未标为洗牌的不计分 | Minus the common logarithm of p, at most 16; none where the tag says that nobody shuffled
# column: evidence | text | 可查的局 | Evidence | 至多五对局的编号 | Running numbers of up to five pairs
# definition_zh: 同一副牌是否又发了一次。可靠的洗牌从不重复；弱种子、预设牌库与复制的日志会重复。复式赛有意重复，应以标签 deal_mode 标明。
#   同一局再次出现（R108）不计。只计花色全知的局。
# definition_en: Was a deal dealt again? A sound shuffle never repeats; weak seeds, libraries of preset deals and
#   copied logs do. Duplicate matches repeat on purpose and should say so in the tag deal_mode. The same
#   hand again (R108) does not count. Only hands of which every suit is known.
# minimum: 0
# kept: rules
"""Deals that came twice (statistics.md 4.3)."""

from datetime import date
from typing import Any

from analysis.deal_repeats import AGAIN_CELLS, NUMBER_CELLS, repeats
from analysis.warehouse import Warehouse

cells = (AGAIN_CELLS, NUMBER_CELLS)


def answer(warehouse: Warehouse, *, rules: str | None, since: date | None, until: date | None) -> list[dict[str, Any]]:
    """Rows of the declared columns."""
    return repeats(warehouse, {"rules": rules, "since": since, "until": until})
