// Keys with names, notes that they sign, cosignatures, checkpoints: C2SP signed-note, tlog-cosignature,
// tlog-checkpoint (apps/ledger/format/keys.py, note.py, cosignature.py, checkpoint.py).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const { Malformed, Unproven, must } = m;
  const ED25519 = 0x01, COSIGNATURE = 0x04;
  const MOST_SIGNATURES = 100, MOST_NOTE_BYTES = 1_000_000, LONGEST_ORIGIN = 255;

  // ---------------------------------------------------------------- Ed25519
  const FIELD = 2n ** 255n - 19n;
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
  const ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
  const SMALL = [0n, 1n, FIELD - 1n, ORDER_8, FIELD - ORDER_8]; // y of the points of order 1, 2, 4 and 8
  const little = (data) => BigInt(`0x${m.inhex(data.slice().reverse())}`);

  const checkPublicKey = (key) => {
    const y = key.length === 32 ? little(key) & (2n ** 255n - 1n) : FIELD;
    must(y < FIELD && !SMALL.includes(y), "an Ed25519 public key is 32 bytes, canonical, and no point of small order");
    return key;
  };
  // The library does not ask for a signature's one spelling: its second half is below the order (RFC 8032 §5.1.7).
  const verify = (key, message, signature) =>
    signature.length === 64 && little(signature.slice(32)) < ORDER && nacl.sign.detached.verify(message, signature, key);

  // ---------------------------------------------------------------- keys
  const BLANKS = /[\u0000- +\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
  const checkName = (name) => {
    m.octets(name, "a key name");
    must(name && !BLANKS.test(name), "a key name is text without spaces, plus signs and control characters");
    return name;
  };
  const hex8 = (number) => number.toString(16).padStart(8, "0");
  const word = (data) => ((data[0] << 24) | (data[1] << 16) | (data[2] << 8) | data[3]) >>> 0;

  const untimestamped = (field) => {
    const time = field.length === 72 ? BigInt(`0x${m.inhex(field.slice(0, 8))}`) : m.MOST + 1n;
    must(time <= m.MOST, "a cosignature is 8 bytes of time, at most 2^63 - 1, and 64 of signature");
    return [time, field.slice(8)];
  };

  class VerifierKey {
    constructor(name, type, publicKey) {
      this.name = checkName(name);
      must(
        type === ED25519 || type === COSIGNATURE,
        `a key of type 0x${type.toString(16).padStart(2, "0")} is not one of 0x01 (Ed25519) and 0x04 (cosignature)`,
      );
      this.type = type;
      this.publicKey = checkPublicKey(publicKey);
      this.id = word(m.sha256(m.octets(`${name}\n`, "a key name"), new Uint8Array([type]), publicKey));
    }

    static parse(text) {
      const [name, id, ...rest] = text.split("+");
      must(rest.length, "a vkey is a name, a key id and a key, with + between");
      const material = m.unbase64(rest.join("+"), "the key in a vkey");
      const key = new VerifierKey(name, material[0], material.slice(1));
      must(
        `${key}` === text && id === key.hexId,
        "the key id in a vkey is eight lower-case hex digits of its name and key",
      );
      return key;
    }

    get hexId() {
      return hex8(this.id);
    }

    toString() {
      return `${this.name}+${this.hexId}+${m.inbase64(m.join(new Uint8Array([this.type]), this.publicKey))}`;
    }

    holds(text, field) {
      if (this.type === ED25519) return verify(this.publicKey, text, field);
      try {
        const [time, made] = untimestamped(field);
        return verify(this.publicKey, m.join(m.octets(`cosignature/v1\ntime ${time}\n`, "a time"), text), made);
      } catch (problem) {
        if (problem instanceof Malformed) return false;
        throw problem;
      }
    }
  }

  // ---------------------------------------------------------------- notes
  const checkText = (text) => {
    must(
      text.endsWith("\n") && !/[\u0000-\u0009\u000b-\u001f]/.test(text),
      "a note's text ends in a newline and has no other control character",
    );
    return text;
  };
  const readSignature = (line) => {
    const [mark, name = "", written = ""] = line.split(" ");
    must(
      mark === "—" && line === `— ${name} ${written}`,
      "a signature line is an em dash, a key name and base64, with single spaces between",
    );
    const field = m.unbase64(written, "a signature");
    must(field.length >= 5, "a signature is a key id of 4 bytes and what follows it");
    return { name: checkName(name), id: word(field), field: field.slice(4) };
  };
  const readSignatures = (text) => {
    must(text.endsWith("\n"), "a signature line ends in a newline");
    const lines = text.slice(0, -1).split("\n");
    must(lines.length <= MOST_SIGNATURES, `a note has at most ${MOST_SIGNATURES} signatures`);
    return lines.map(readSignature);
  };
  const parseNote = (data) => {
    must(data.length <= MOST_NOTE_BYTES, `a note is at most ${MOST_NOTE_BYTES} bytes`);
    const written = m.utf8(data, "a note");
    const parted = written.lastIndexOf("\n\n");
    must(parted >= 0, "a note has an empty line between its text and its signatures");
    const text = checkText(written.slice(0, parted + 1));
    return { text, signatures: readSignatures(written.slice(parted + 2)) };
  };

  // The signatures by these keys over a note's text, each with its key and time. Throws Unproven where one fails.
  const checkSignatures = (note, keys) => {
    const known = new Map();
    for (const key of keys) {
      const name = `${key.name}+${key.hexId}`;
      if (`${known.get(name) ?? key}` !== `${key}`) throw new Unproven(`two trusted keys are both called ${name}`);
      known.set(name, key);
    }
    const text = m.octets(note.text, "a note");
    const found = [];
    for (const signature of note.signatures) {
      const key = known.get(`${signature.name}+${hex8(signature.id)}`);
      if (!key) continue;
      if (!key.holds(text, signature.field)) {
        throw new Unproven(`the signature of ${key.name}+${key.hexId} does not hold`);
      }
      found.push({ key, time: key.type === COSIGNATURE ? untimestamped(signature.field)[0] : null });
    }
    return found;
  };
  const verifyNote = (note, keys) => {
    const found = checkSignatures(note, keys);
    if (!found.length) throw new Unproven("no signature is by a trusted key");
    return found;
  };

  // ---------------------------------------------------------------- checkpoints
  const parseCheckpoint = (text) => {
    const lines = m.linesOf(text, "a checkpoint");
    must(lines.length >= 3, "a checkpoint has three lines: an origin, a size and a root hash");
    const size = m.decimal(lines[1], "the size in a checkpoint");
    const root = m.unbase64Hash(lines[2], "the root hash in a checkpoint");
    const length = m.octets(lines[0], "an origin").length;
    must(length >= 1 && length <= LONGEST_ORIGIN, `an origin is 1 to ${LONGEST_ORIGIN} bytes`);
    must(lines.slice(3).every(Boolean), "an extension line in a checkpoint is not empty");
    return { origin: lines[0], size, root };
  };
  const parseSigned = (data) => {
    const note = parseNote(data);
    return { checkpoint: parseCheckpoint(note.text), note };
  };

  Object.assign(m, { ED25519, COSIGNATURE, VerifierKey, hex8, parseNote, checkSignatures, verifyNote, parseSigned });
})();
