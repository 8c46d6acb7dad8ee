"""Bech32 as age writes its keys (BIP 173, without its limit on length): letters that a person can copy."""

LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def encode(prefix: str, data: bytes) -> str:
    """A key's 32 bytes under its prefix, in lower case."""
    number = int.from_bytes(data, "big") << -len(data) * 8 % 5
    groups = (len(data) * 8 + 4) // 5
    words = [number >> 5 * place & 31 for place in reversed(range(groups))]
    check = _polymod([*_spread(prefix), *words, *[0] * 6]) ^ 1
    words += [check >> 5 * place & 31 for place in reversed(range(6))]
    return f"{prefix}1{''.join(LETTERS[word] for word in words)}"


def decode(prefix: str, text: str) -> bytes:
    """The 32 bytes of a key that has this prefix. Raises ValueError with a sentence."""
    given = text.strip()
    lower = given.lower()
    shown, one, rest = lower.rpartition("1")
    if given not in (lower, lower.upper()) or not one or shown != prefix or set(rest) - set(LETTERS):
        raise ValueError(f"A key of this kind begins with {prefix}1 and goes on in letters and digits of one case.")
    words = [LETTERS.index(letter) for letter in rest]
    if _polymod([*_spread(prefix), *words]) != 1:
        raise ValueError("A letter of the key is wrong: it does not agree with its check.")
    groups = words[:-6]
    number = 0
    for word in groups:
        number = number << 5 | word
    spare = len(groups) * 5 % 8
    size = len(groups) * 5 // 8
    if size != 32 or spare > 4 or number & (1 << spare) - 1:
        raise ValueError("A key has 32 bytes, and this one has not.")
    return (number >> spare).to_bytes(size, "big")


def _spread(prefix: str) -> list[int]:
    codes = [ord(letter) for letter in prefix]
    return [*(code >> 5 for code in codes), 0, *(code & 31 for code in codes)]


def _polymod(words: list[int]) -> int:
    check = 1
    for word in words:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ word
        for place, generator in enumerate(_GENERATOR):
            if top >> place & 1:
                check ^= generator
    return check
