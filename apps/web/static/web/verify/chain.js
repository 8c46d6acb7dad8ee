// A vault's chain read on from any place, line by line, and the lines of a file that is longer than memory
// (apps/ledger/format/encoding.py, bundle.py).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const MOST_LINE_BYTES = 16 * 2 ** 20;
  const ROW_BEGINS = m.octets('{"chain_hash":"', "a row"), ROW_PARTS = m.octets('","receipt":', "a row");
  const ROW_ENDS = m.octets("}\n", "a row");
  const HASH_AT = ROW_BEGINS.length, PARTS_AT = HASH_AT + 64, TEXT_AT = PARTS_AT + ROW_PARTS.length;
  const NEWLINE = 10;

  const standsAt = (data, at, what) => what.every((byte, place) => data[at + place] === byte);
  const isRow = (line) => standsAt(line, 0, ROW_BEGINS);

  // A receipt's line: its bytes and its chain hash, null where it is none.
  const lineOf = (row) => {
    const hex = String.fromCharCode(...row.subarray(HASH_AT, PARTS_AT));
    const shaped = isRow(row) && standsAt(row, PARTS_AT, ROW_PARTS) && standsAt(row, row.length - 2, ROW_ENDS);
    if (!shaped || row.length < TEXT_AT + 2 || !/^[0-9a-f]{64}$/.test(hex)) return null;
    return { text: row.subarray(TEXT_AT, -2), chainHash: hex };
  };

  // The object that canonical bytes are of, null for any other bytes. The browser's own reader is quick and lenient:
  // what it took is written again and compared, and what it may have taken for something else is read strictly.
  const read = (data) => {
    try {
      const text = m.utf8(data, "a receipt");
      const quick = text.includes("\\u") ? null : quickly(text);
      const body = quick ?? m.strictJson(data);
      const typed = m.FIELDS.every((name) => typeof body.get(name) === (name === "seq" || name === "version" ? "bigint" : "string"));
      return typed && body.size === m.FIELDS.length && (quick || m.same(m.canonical(body), data)) ? body : null;
    } catch (problem) {
      if (problem instanceof m.Malformed) return null;
      throw problem;
    }
  };
  const quickly = (text) => {
    try {
      const found = JSON.parse(text);
      const body = new Map(m.FIELDS.map((name) => [name, Number.isSafeInteger(found[name]) ? BigInt(found[name]) : found[name]]));
      return m.canonicalText(body) === text ? body : null;
    } catch {
      return null;
    }
  };

  // `seq`, `chainHash` and `time` are those of the last receipt read.
  class Walk {
    constructor(vault, seq, chainHash) {
      Object.assign(this, { vault, seq, chainHash, time: "" });
    }

    // Read some lines. Returns what does not hold; `take` gets each receipt that can be read, with its seq.
    rows(batch, take) {
      const problems = [];
      for (const row of batch) {
        const line = lineOf(row);
        this.seq += 1n;
        if (line) this.line(line, (what) => problems.push({ seq: this.seq, what }), take);
        else problems.push({ seq: this.seq, what: "form" });
      }
      return problems;
    }

    line({ text, chainHash }, problem, take) {
      const body = read(text);
      if (!body) problem("form");
      const seq = body?.get("seq") ?? this.seq;
      const gap = seq !== this.seq;
      this.seq = seq;
      if (gap) problem("gap");
      if (body) {
        take(body);
        if (body.get("vault") !== this.vault) problem("vault");
        if (body.get("v") !== m.VERSION) problem("version");
        if (body.get("time") < this.time) problem("time");
        else this.time = body.get("time");
      }
      this.chainHash = m.nextHash(this.chainHash, m.sha256(text));
      if (m.inhex(this.chainHash) === chainHash) return;
      problem("chain");
      this.chainHash = m.unhex(chainHash);
    }
  }

  // The lines of a Blob, as it is read. `digest` is that of the lines read as JSON so far.
  class Lines {
    constructor(blob) {
      this.chunks = blob.stream().getReader();
      this.rest = new Uint8Array();
      this.back = [];
      this.hash = new globalThis.sha256.Hash();
    }

    get digest() {
      return this.hash.digest();
    }

    // The next line with its newline; at the end of the file what there is, then nothing.
    async line() {
      if (this.back.length) return this.back.shift();
      const parts = [];
      for (let size = 0; ; ) {
        const end = this.rest.indexOf(NEWLINE) + 1;
        const piece = end ? this.rest.subarray(0, end) : this.rest;
        this.rest = this.rest.subarray(piece.length);
        parts.push(piece);
        size += piece.length;
        const sentence = `a line is longer than ${MOST_LINE_BYTES / 2 ** 20} MiB, which none of a bundle is`;
        m.expect(size <= MOST_LINE_BYTES, "file", sentence);
        if (end) break;
        const { value, done } = await this.chunks.read();
        if (done) break;
        this.rest = value;
      }
      return parts.length === 1 ? parts[0] : m.join(...parts);
    }

    // The JSON of the next line, written as RFC 8785 says. The last one stands beside the digest of the others.
    async read(where, last = false) {
      const line = await this.line();
      m.expect(line.length, where, "the file ends before this line: it is cut off");
      m.expect(!isRow(line), where, "a receipt stands where this line belongs");
      if (!last) this.hash.update(line);
      return m.at(where, () => {
        const found = m.strictJson(line);
        const same = m.same(m.octets(`${m.jsonText(found)}\n`, "a line"), line);
        m.must(same, "this line is not written as RFC 8785 says, or not to its end");
        return found;
      });
    }

    // The next lines as far as they are receipts', at most so many.
    async receipts(most) {
      let batch = [];
      for (let line; batch.length < most && (line = await this.line()).length; ) batch.push(line);
      if (batch.length && !isRow(batch.at(-1))) {
        const ends = batch.findIndex((line) => !isRow(line));
        this.back = [...batch.slice(ends), ...this.back];
        batch = batch.slice(0, ends);
      }
      return batch;
    }

    async more() {
      return (await this.line()).length > 0;
    }
  }

  Object.assign(m, { Walk, Lines });
})();
