"""Deals of 三打哈: two packs shuffled, or cut in blocks that keep pairs and tractors together (不洗牌)."""

from random import Random

from ingest.cards import RANKS, pack_of
from ingest.rules.ruleset import TrickRuleset
from ingest.simulate.deals import Deal, cut_and_mixed, hand_out

UNSHUFFLED = 0.5
"""The share of hands whose pack is not shuffled."""

BLOCKS = ((1,), (2,), (2, 3), (1, 1, 4), (3, 4, 1), (2, 6, 1))
"""Sizes of the blocks in which a sorted pack is cut, for each pack: 2 is a tractor of two pairs, or two pairs alike."""


def deal(rules: TrickRuleset, rng: Random) -> Deal:
    """Deal the packs as the ruleset says."""
    pack = list(pack_of(rules.deal.packs, rules.deal.removed_ranks))
    unshuffled = rng.random() < UNSHUFFLED
    if unshuffled:
        if rng.random() < 0.75:
            pack.sort(key=lambda card: (len(card), card[0], RANKS.index(card[-1])))
        pack = cut_and_mixed(pack, rng.choice(BLOCKS), rules.deal.packs, rng)
    else:
        rng.shuffle(pack)
    return hand_out(pack, rules, "unshuffled" if unshuffled else "random")
