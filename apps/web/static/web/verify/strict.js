// What every format is read with: one spelling for each number, hash and text (apps/ledger/format/strict.py).
// These files answer as the Python of apps/ledger/format does, sentence by sentence; tests/e2e compares the two.
(() => {
  "use strict";
  const MOST = 2n ** 63n - 1n; // the largest size, index or POSIX time that any of the formats allows

  // These bytes are not what the format says. The sentence names the first thing that is wrong.
  class Malformed extends Error {}
  // Well formed, and yet it does not hold: a signature, a hash path. The sentence says which.
  class Unproven extends Error {}

  const must = (held, sentence) => {
    if (!held) throw new Malformed(sentence);
  };

  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const octets = (text, what) => {
    must(text.isWellFormed(), `${what} must be text that UTF-8 can write`);
    return encoder.encode(text);
  };
  const utf8 = (data, what) => {
    try {
      return decoder.decode(data);
    } catch {
      throw new Malformed(`${what} must be UTF-8`);
    }
  };
  const join = (...parts) => {
    const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      made.set(part, at);
      at += part.length;
    }
    return made;
  };
  const same = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

  // A number of things in words (`1 leaf`, `2 leaves`), and receipts by their numbers, to begin a sentence.
  const counted = (number, one, many = `${one}s`) => `${number} ${`${number}` === "1" ? one : many}`;
  const span = (first, last) => (first === last ? `Receipt ${first}` : `Receipts ${first} to ${last}`);

  const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
  const inhex = (data) => {
    let text = "";
    for (const byte of data) text += HEX[byte];
    return text;
  };
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

  const inbase64 = (data) => {
    let text = "";
    for (const byte of data) text += String.fromCharCode(byte);
    return btoa(text);
  };
  const unbase64 = (text, what) => {
    const spelt = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
    const found = spelt ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : new Uint8Array();
    must(found.length && inbase64(found) === text, `${what} must be canonical base64 with padding`);
    return found;
  };
  const aHash = (data, what) => {
    must(data.length === 32, `${what} must be 32 bytes`);
    return data;
  };
  const unbase64Hash = (text, what) => aHash(unbase64(text, what), what);

  const decimal = (text, what, most = MOST) => {
    must(
      /^(?:0|[1-9][0-9]{0,18})$/.test(text) && BigInt(text) <= most,
      `${what} must be a decimal from 0 to ${most} without sign or leading zeros`,
    );
    return BigInt(text);
  };
  const linesOf = (text, what) => {
    must(text.endsWith("\n"), `${what} must end in a newline`);
    return text.slice(0, -1).split("\n");
  };

  const sha256 = (...parts) => globalThis.sha256(parts.length === 1 ? parts[0] : join(...parts));
  const hmac = (key, ...parts) => globalThis.sha256.hmac(key, join(...parts));

  Object.assign((globalThis.muniment ??= {}), {
    MOST, Malformed, Unproven, must, octets, utf8, join, same, inhex, unhex, inbase64, unbase64, unbase64Hash, aHash,
    decimal, linesOf, counted, span, sha256, hmac,
  });
})();
