// The tree that every leaf hangs in, a leaf, and a leaf's proof: RFC 9162 §2.1, C2SP tlog-proof
// (apps/ledger/format/merkle.py, leaf.py, proof.py).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const { Unproven, must, MOST } = m;
  const LONGEST_PROOF = 63, MOST_PROOF_BYTES = 2_000_000;
  const PROOF_VERSION = "c2sp.org/tlog-proof@v1", LEAF_VERSION = "muniment-leaf/1";
  const EMPTY_ROOT = m.sha256(new Uint8Array());
  const LEAF = new Uint8Array([0]), NODE = new Uint8Array([1]);

  const leafHash = (entry) => m.sha256(LEAF, entry);
  const nodeHash = (left, right) => m.sha256(NODE, left, right);
  const hold = (held, sentence) => {
    if (!held) throw new Unproven(sentence);
  };
  const hashes = (proof) => {
    hold(
      proof.length <= LONGEST_PROOF && proof.every((each) => each.length === 32),
      `a proof is at most ${LONGEST_PROOF} hashes of 32 bytes`,
    );
    return [...proof];
  };

  const checkInclusion = (leaf, index, size, proof, root) => {
    hold(index >= 0n && index < size && size <= MOST, `there is no leaf ${index} in a tree of ${size}`);
    let node = index, last = size - 1n, made = leaf;
    for (const beside of hashes(proof)) {
      hold(last !== 0n, "the inclusion proof is longer than the tree is high");
      if (node & 1n || node === last) {
        made = nodeHash(beside, made);
        while (!(node & 1n) && node) [node, last] = [node >> 1n, last >> 1n];
      } else {
        made = nodeHash(made, beside);
      }
      [node, last] = [node >> 1n, last >> 1n];
    }
    hold(last === 0n, "the inclusion proof is shorter than the tree is high");
    hold(m.same(made, root), "the inclusion proof leads to another root");
  };

  const checkConsistency = (old, oldRoot, size, root, proof) => {
    let path = hashes(proof);
    hold(old >= 0n && old <= size && size <= MOST, `a tree of ${size} does not follow one of ${old}`);
    if (old === 0n || old === size) {
      hold(!path.length, "a consistency proof from nothing, or to the same size, is empty");
      hold(old !== 0n || m.same(oldRoot, EMPTY_ROOT), "a tree without leaves has another root");
      hold(old !== size || m.same(oldRoot, root), "two trees of one size have different roots");
      return;
    }
    if ((old & (old - 1n)) === 0n) path = [oldRoot, ...path];
    hold(path.length, "the consistency proof is empty");
    let node = old - 1n, last = size - 1n;
    while (node & 1n) [node, last] = [node >> 1n, last >> 1n];
    let before = path[0], after = path[0];
    for (const beside of path.slice(1)) {
      hold(last !== 0n, "the consistency proof is longer than the tree is high");
      if (node & 1n || node === last) {
        [before, after] = [nodeHash(beside, before), nodeHash(beside, after)];
        while (!(node & 1n) && node) [node, last] = [node >> 1n, last >> 1n];
      } else {
        after = nodeHash(after, beside);
      }
      [node, last] = [node >> 1n, last >> 1n];
    }
    hold(last === 0n, "the consistency proof is shorter than the tree is high");
    hold(m.same(before, oldRoot), "the consistency proof does not lead to the old root");
    hold(m.same(after, root), "the consistency proof does not lead to the new root");
  };

  const leafBytes = (tag, seq, chainHash) =>
    m.octets(`${LEAF_VERSION}\n${m.inhex(tag)}\n${seq}\n${m.inhex(chainHash)}\n`, "a leaf");

  const parseProof = (data) => {
    must(data.length <= MOST_PROOF_BYTES, `a proof is at most ${MOST_PROOF_BYTES} bytes`);
    const parted = data.findIndex((byte, at) => byte === 10 && data[at + 1] === 10);
    const [version, ...lines] = m.utf8(parted < 0 ? data : data.slice(0, parted), "a proof").split("\n");
    must(
      version === PROOF_VERSION && parted >= 0,
      `a proof begins with ${PROOF_VERSION} and has an empty line before its checkpoint`,
    );
    const extra = lines[0]?.startsWith("extra ") ? m.unbase64(lines.shift().slice(6), "the extra data of a proof") : [];
    must(lines[0]?.startsWith("index "), "a proof says `index` and the entry's place before its hashes");
    const index = m.decimal(lines.shift().slice(6), "the index of a proof", MOST - 1n);
    const checkpoint = data.slice(parted + 2);
    must(
      lines.length <= LONGEST_PROOF && checkpoint.length,
      `a proof has at most ${LONGEST_PROOF} hashes, and a checkpoint`,
    );
    return { index, hashes: lines.map((line) => m.unbase64Hash(line, "a hash of a proof")), checkpoint, extra };
  };

  Object.assign(m, { EMPTY_ROOT, leafHash, nodeHash, checkInclusion, checkConsistency, leafBytes, parseProof });
})();
