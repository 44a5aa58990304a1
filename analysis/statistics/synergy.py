# name: synergy
# title_zh: 默契值
# title_en: Partner synergy
# grain: one row per player, fellow farmer and ruleset
# parameters: player rules since until
# column: player | text | 玩家 | Player | 玩家编号 | The player's id
# column: other | text | 队友 | Partner | 队友的编号 | The fellow farmer's id
# column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
# column: hands | count | 局数 | Hands | 同为农民且计入等级分的局 | Rated hands in which both were farmers
# column: wins | count | 胜局 | Wins | 其中胜的 | Of these, won
# column: expected | number | 期望胜局 | Expected wins | 每局之前按等级分预测的胜率之和 | Sum of the chances by the ratings before each hand
# column: over | number | 超出 | Over | 胜局减期望胜局 | Wins less expected wins
# column: error | number | 标准误 | Standard error | 超出的标准误 | Standard error of that difference
# definition_zh: 同为农民的局里，胜局比等级分所期望的多多少。
# definition_en: Of hands in which both were farmers: how many more were won than the ratings let expect.
# minimum: 30
# kept: player rules
"""Who wins more with whom than both lets expect (statistics.md 2.7, #81)."""

from datetime import date

import pandas as pd

from analysis import company
from analysis.warehouse import Warehouse

_COLUMNS = "player other rules hands wins expected over error".split()


def answer(
    warehouse: Warehouse, *, player: str | None, rules: str | None, since: date | None, until: date | None
) -> pd.DataFrame:
    """Those who sat together most first."""
    return company.synergy(warehouse, player, rules=rules, since=since, until=until)[_COLUMNS]
