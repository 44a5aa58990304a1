"""A hand of ``classic`` in which only the landlord plays: four bombs, the rocket, a pair."""

HANDS = {
    "hands": [
        "SJHJCJDJSQHQCQDQSKHKCKDKSAHACADAS2",
        "S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6S7",
        "H7C7D7S8H8C8D8S9H9C9D9STHTCTDTH2C2",
    ],
    "bottom": "D2BR",
    "auction": "0:3",
    "plays": " 1:- 2:- ".join(("0:SJHJCJDJ", "0:SQHQCQDQ", "0:SKHKCKDK", "0:SAHACADA", "0:BR", "0:S2D2")),
}
