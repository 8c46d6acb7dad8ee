"""Letters that look like a letter of the basic Latin alphabet, though they are none. Data, with one function.

From `confusables.txt` of Unicode's security mechanisms (UTS #39), version 15.1: Copyright © 1991-2026 Unicode, Inc.,
under the licence beside this file (LICENSE-UNICODE). Taken were the lines whose source is one letter that NFKC leaves
as it is, and no Latin one (of those only the small capitals, U+0251 and U+0261), and whose target is one letter: of the
basic Latin alphabet, in TWINS; a Latin small capital or U+0138, written as the letter that it is a form of, in
LIKE_CAPITALS. A new version of the data is taken over in the same way.
"""


def _table(alike: dict[str, str]) -> dict[str, str]:
    """From each letter to the one that it looks like."""
    return {each: letter for letter, found in alike.items() for each in found}


TWINS = _table(
    {
        "A": "\u0391\u0410\u13aa\u15c5\ua4ee\U000102a0\U00016f40",
        "B": "\u0392\u0412\u13f4\u15f7\ua4d0\U00010282\U000102a1\U00010301",
        "C": "\u0421\u13df\u2ca4\ua4da\U000102a2\U00010302\U00010415\U0001051c",
        "D": "\u13a0\u15de\u15ea\ua4d3",
        "E": "\u0395\u0415\u13ac\u2d39\ua4f0\U00010286\U000118a6\U000118ae",
        "F": "\u03dc\u15b4\ua4dd\U00010287\U000102a5\U00010525\U000118a2\U000118c2",
        "G": "\u050c\u13c0\u13f3\ua4d6",
        "H": "\u0397\u041d\u13bb\u157c\u2c8e\ua4e7\U000102cf",
        "J": "\u037f\u0408\u13ab\u148d\ua4d9",
        "K": "\u039a\u041a\u13e6\u16d5\u2c94\ua4d7\U00010518",
        "L": "\u13de\u14aa\u2cd0\ua4e1\U0001041b\U00010526\U000118a3\U000118b2\U00016f16",
        "M": "\u039c\u03fa\u041c\u13b7\u15f0\u16d6\u2c98\ua4df\U000102b0\U00010311",
        "N": "\u039d\u2c9a\ua4e0\U00010513",
        "O": (
            "\u039f\u041e\u0555\u0b20\u12d0\u2c9e\u2d54\ua4f3\U00010292\U000102ab\U00010404\U000104c2\U00010516"
            "\U000118b5"
        ),
        "P": "\u03a1\u0420\u13e2\u146d\u2ca2\ua4d1\U00010295",
        "Q": "\u2d55",
        "R": "\u13a1\u13d2\u1587\ua4e3\U000104b4\U00016f35",
        "S": "\u0405\u054f\u13d5\u13da\ua4e2\U00010296\U00010420\U00016f3a",
        "T": "\u03a4\u0422\u13a2\u2ca6\ua4d4\U00010297\U000102b1\U00010315\U000118bc\U00016f0a",
        "U": "\u054d\u1200\u144c\ua4f4\U000104ce\U000118b8\U00016f42",
        "V": "\u0474\u13d9\u142f\u2d38\ua4e6\ua6df\U0001051d\U000118a0\U00016f08",
        "W": "\u051c\u13b3\u13d4\ua4ea",
        "X": "\u03a7\u0425\u16b7\u2cac\u2d5d\ua4eb\U00010290\U000102b4\U00010317\U00010527",
        "Y": "\u03a5\u0423\u04ae\u13a9\u13bd\u2ca8\ua4ec\U000102b2\U000118a4\U00016f43",
        "Z": "\u0396\u13c3\ua4dc\U000118a9",
        "a": "\u0251\u03b1\u0430",
        "b": "\u042c\u13cf\u1472\u15af",
        "c": "\u0441\u1d04\u2ca5\uabaf\U0001043d",
        "d": "\u0501\u13e7\u146f\ua4d2",
        "e": "\u0435\u04bd",
        "f": "\u0584",
        "g": "\u0261\u0581",
        "h": "\u04bb\u0570\u13c2",
        "i": "\u026a\u03b9\u0456\u04cf\u13a5\ua647\uab75\U000118c3",
        "j": "\u03f3\u0458",
        "l": "\u0399\u0406\u04c0\u16c1\u2c92\u2d4f\ua4f2\U0001028a\U00010309\U00016f28",
        "n": "\u0578\u057c",
        "o": "\u03bf\u03c3\u043e\u0585\u0d20\u101d\u10ff\u1d0f\u2c9f\U0001042c\U000104ea\U000118c8\U000118d7",
        "p": "\u03c1\u0440\u2ca3",
        "q": "\u051b\u0563\u0566",
        "r": "\u0433\u1d26\u2c85\uab81",
        "s": "\u0455\uabaa\U00010448\U000118c1",
        "u": "\u03c5\u057d\u1d1c\U000104f6\U000118d8",
        "v": "\u03bd\u0475\u1d20\uaba9\U00011706\U000118c0",
        "w": "\u0461\u051d\u0561\u1d21\uab83\U0001170a\U0001170e\U0001170f",
        "x": "\u0445\u1541\u157d",
        "y": "\u028f\u03b3\u0443\u04af\u10e7\U000118dc",
        "z": "\u1d22\uab93\U000118c4",
    }
)

LIKE_CAPITALS = _table(
    {
        "a": "\u1d00\uab7a",
        "b": "\u0299\u0432\u13fc",
        "d": "\u1d05\uab70",
        "e": "\u1d07\uab7c",
        "g": "\u0262\u050d\u13fb\uab90",
        "h": "\u029c\u043d\uab8b",
        "j": "\u1d0a\uab7b",
        "k": "\u0138\u03ba\u043a\u1d0b\u2c95\uabb6",
        "l": "\u029f\u2cd1\uabae\U00010443",
        "m": "\u1d0d",
        "n": "\u0274",
        "p": "\u1d18\u1d29\uabb2",
        "r": "\u0280\uab71\uaba2",
        "t": "\u03c4\u0442\u1d1b\uab72",
    }
)
