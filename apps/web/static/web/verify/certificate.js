// An erasure's certificate and its file (apps/ledger/format/certificate.py; docs/erasure-certificate.md).
(() => {
  "use strict";
  const m = globalThis.muniment;
  const { expect, within } = m;
  const CERTIFICATE = "muniment-erasure-certificate/2", EARLIER = "muniment-erasure-certificate/1";
  const CERTIFICATE_FILE = "muniment-erasure-certificate-file/1";
  const CERTIFIED = "erasure.certified";
  const EARLIER_LIMITS = [
    "What somebody was handed before, they may still have: the receipts of this vault say who was.",
    "A backup opens what was erased until the horizon is over: by then the keys it would need are destroyed.",
    "What was made from a memory without saying so is not known to be, and was not followed.",
    "Free blocks of a disk, swap and memory images are the machine's: this says nothing of them.",
  ];
  const LIMITS = [
    ...EARLIER_LIMITS,
    "Labels, subjects, sources and reasons are not looked for: rows that held them are overwritten at night.",
    "A question in the chat that was answered without what was erased stays, whatever words it is in.",
  ];
  const RECORDED =
    "It shows what the instance recorded of an erasure: that it did so, only looking for the words can show.";
  const KNOWN_PLACES = [
    "access_grant", "access_request", "account_emailaddress", "account_emailconfirmation", "api_key", "auth_group",
    "auth_group_permissions", "auth_permission", "backed_up", "backups", "broker", "cache", "client", "delegation",
    "digest", "directory", "django_admin_log", "django_content_type", "django_session", "edge", "emergency", "entity",
    "erasure_order", "erasure_words", "grant_memory", "invitation", "legal_hold", "letter", "logs", "mail folder",
    "mail server", "mail_wishes", "member", "memory", "memory_version", "merge", "mfa_authenticator",
    "planner's samples", "proposal", "receipt", "reclaimed", "request_part", "review", "root key file", "root_epoch",
    "sealed.chain_head", "sealed.handle", "sealed.key", "sealed.search_candidate", "sealed.search_doc",
    "sealed.search_term", "sealed.ticket_key", "sealed.value", "share", "share_item", "share_link", "share_opening",
    "space", "space_policy", "space_settled", "step_told", "the instance's log", "tombstone", "turn", "turn_event",
    "turn_item", "user", "user_groups", "user_user_permissions", "usersessions_usersession", "value_print", "vault",
    "vault_key", "write-ahead log",
  ];
  const TYPED = ["format", "vault", "order", "basis", "made_at", "done_at", "derived"];
  const NUMBERS = ["memories", "kept", "still_held", "horizon_days"];
  const OTHERS = ["coverage", "whole_vault", "counts", "residue", "limits"];
  const edition = (numbers, limits) => ({ numbers, limits, members: [...TYPED, ...numbers, ...OTHERS] });
  const EDITIONS = new Map([
    [EARLIER, edition(NUMBERS, EARLIER_LIMITS)],
    [CERTIFICATE, edition([...NUMBERS, "not_overwritten"], LIMITS)],
  ]);
  const FOUND_NUMBERS = ["live", "unreclaimed", "plain", "files", "bytes_read", "unopened"];
  const A_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$/;
  const SHAPES = {
    vault: /^vlt_[0-9a-f]{32}$/,
    order: /^ord_[0-9a-f]{32}$/,
    basis: /^[a-z]+(?:-[a-z]+)*$/,
    made_at: A_TIME,
    done_at: A_TIME,
    derived: /^(?:erase|keep)$/,
    result: /^(?:not-searched|clean|found|partly)$/,
    place: /^[a-z][a-z0-9_.' -]*$/,
  };

  // ---------------------------------------------------------------- reading
  const shaped = (found, shape, where) =>
    expect(SHAPES[shape].test(m.aText(found, where)), where, "this is not written as it is in any certificate");
  const number = (found, where) => m.aNumber(found, where, m.MOST_RECEIPTS);
  const alike = (one, other) => one.length === other.length && one.every((each, at) => each === other[at]);

  const readPlaces = (found, where) => {
    const places = m.aList(found, where);
    places.forEach((place, at) => shaped(place, "place", `${where}[${at}]`));
    expect(alike(places, [...new Set(places)].sort()), where, "each place stands in it once, in order");
  };
  const readCounts = (found, where) => {
    expect(found instanceof Map, where, "this must be a JSON object");
    for (const [name, count] of found) {
      const place = within(where, m.cut(name));
      shaped(name, "place", place);
      number(count, place);
    }
  };
  const readCertificate = (found, where) => {
    const edition = EDITIONS.get(found.get("format")), said = m.anObject(found, edition.members, where);
    for (const name of TYPED.slice(1)) shaped(said.get(name), name, within(where, name));
    for (const name of edition.numbers) number(said.get(name), within(where, name));
    expect(typeof said.get("whole_vault") === "boolean", within(where, "whole_vault"), "this must be true or false");
    readPlaces(said.get("coverage"), within(where, "coverage"));
    readCounts(said.get("counts"), within(where, "counts"));
    const place = within(where, "residue");
    const residue = m.anObject(said.get("residue"), ["result", ...FOUND_NUMBERS], place);
    shaped(residue.get("result"), "result", within(place, "result"));
    for (const name of FOUND_NUMBERS) number(residue.get(name), within(place, name));
    const limits = within(where, "limits");
    const asGiven = alike(m.aList(said.get("limits"), limits), edition.limits);
    expect(asGiven, limits, "these are not the sentences that belong to a certificate");
    return said;
  };
  // A part of the file is of the format that belongs there; a newer one is for a newer program.
  const ofFormat = (found, names, where) => {
    expect(found instanceof Map, where, "this must be a JSON object");
    expect(found.has("format"), within(where, "format"), "this member is missing");
    const said = m.aText(found.get("format"), within(where, "format")), name = names[names.length - 1];
    if (names.includes(said)) return;
    if (said.startsWith(name.slice(0, name.lastIndexOf("/") + 1))) {
      throw new m.Unreadable(`Its ${where} is of another format than ${name}: check it with a newer program.`);
    }
    expect(false, within(where, "format"), `a ${where} here is of the format ${name}`);
  };
  const inTheReceipt = (step) => {
    try {
      return step();
    } catch (problem) {
      if (!(problem instanceof m.Altered)) throw problem;
      throw new m.Altered(within("receipt", problem.finding.where), problem.finding.what);
    }
  };
  const read = (found) => {
    m.anObject(found, ["format", "certificate", "receipt"], "");
    ofFormat(found.get("receipt"), [m.RECEIPT_FILE], "receipt");
    const receipt = inTheReceipt(() => m.readReceiptFile(found.get("receipt")));
    ofFormat(found.get("certificate"), [...EDITIONS.keys()], "certificate");
    return { said: readCertificate(found.get("certificate"), "certificate"), receipt };
  };

  // ---------------------------------------------------------------- checking
  // Does the receipt's file hold, and is its receipt of exactly this certificate. Returns the checkpoint, or null.
  const checkCertificate = ({ said, receipt: file }) => {
    const standing = inTheReceipt(() => m.checkReceiptFile(file));
    const { receipt } = file;
    const kind = receipt.get("kind") === CERTIFIED;
    expect(kind, "receipt.receipt.kind", `a certificate is bound to a receipt of the kind ${CERTIFIED}`);
    const vault = receipt.get("vault") === said.get("vault"), order = receipt.get("object") === said.get("order");
    expect(vault, "certificate.vault", "the receipt is of another vault's ledger");
    expect(order, "certificate.order", "the receipt is of another order");
    const bound = m.inhex(m.sha256(m.octets(m.jsonText(said), "a certificate"))) === receipt.get("commitment");
    expect(bound, "certificate", "it is not what the receipt is bound to: one of its members was changed");
    return standing;
  };

  const NOT_OVERWRITTEN = "Rows that held words in clear, such as labels, and were not yet overwritten";
  const listed = (places) => m.counted(places.length, "place");
  const searched = (residue) => {
    const [live, unreclaimed, plain, files, bytes, unopened] = FOUND_NUMBERS.map((name) => residue.get(name));
    if (residue.get("result") === "not-searched") return "Its words were not looked for on the disks.";
    return (
      `Its words were looked for in ${m.counted(files, "file")}, ${bytes} bytes: ${live} live, ` +
      `${unreclaimed} unreclaimed, ${plain} plain; ${m.counted(unopened, "place")} could not be opened.`
    );
  };
  // What it says, in sentences: first how far it reaches.
  const certified = (said) => {
    const covered = said.get("coverage"), whole = said.get("whole_vault") ? " The whole vault." : "";
    const leftOut = KNOWN_PLACES.filter((each) => !covered.includes(each));
    const unknown = covered.filter((each) => !KNOWN_PLACES.includes(each));
    const told = [`It says of ${listed(covered)} where a copy can be what becomes of it there.`];
    if (leftOut.length) told.push(`It leaves out ${listed(leftOut)} that this program knows: ${leftOut.join(", ")}.`);
    if (unknown.length) {
      told.push(`It names ${listed(unknown)} that this program does not know: ${unknown.join(", ")}.`);
    }
    const memories = m.counted(said.get("memories"), "memory", "memories");
    const counts = [...said.get("counts").keys()].sort().map((place) => `${place} ${said.get("counts").get(place)}`);
    const withIt = said.get("derived") === "erase" ? " What was known to be made from it went with it." : "";
    return [
      ...told,
      `${memories}, ordered ${said.get("made_at")}, done ${said.get("done_at")}, basis ${said.get("basis")}.${whole}`,
      `Rows that went: ${counts.join(", ") || "none"}.`,
      `Made from it and kept: ${said.get("kept")}. Other memories that say the same: ${said.get("still_held")}.${withIt}`,
      searched(said.get("residue")),
      ...(said.has("not_overwritten") ? [`${NOT_OVERWRITTEN}: ${said.get("not_overwritten")}.`] : []),
      `Backups open it for ${m.counted(said.get("horizon_days"), "day")} more at most.`,
    ];
  };
  const saying = (seq, { verdict, why }) => {
    if (verdict === "intact-in-ledger") {
      return `This certificate is unaltered, and line ${seq} of this vault's ledger is bound to it.`;
    }
    return verdict === "intact-ledger-not-checked" ? `This certificate is unaltered in itself. ${why}` : why;
  };

  // Check a certificate's file, given as its JSON object.
  const verifyCertificateFile = (found, trusted) => {
    let file, standing;
    try {
      file = read(found);
      standing = checkCertificate(file);
    } catch (problem) {
      if (problem instanceof m.Unreadable) return m.cantCheck("certificate", problem.message);
      if (!(problem instanceof m.Altered)) throw problem;
      const says = "This certificate, or what shows it to be in the ledger, was altered.";
      return m.altered("certificate", says, problem.finding);
    }
    const { said, receipt } = file, { members, limits } = EDITIONS.get(said.get("format"));
    const worth = m.judgeReceipt(standing, trusted);
    const bound = `The certificate of ${said.get("order")}: its ${members.length} members, and that the receipt is of them.`;
    return m.report("certificate", worth.verdict, saying(receipt.receipt.get("seq"), worth), {
      checked: [bound, ...m.receiptChecked(receipt), ...worth.checked],
      coverage: [...certified(said), ...m.receiptCoverage(standing)],
      limits: [RECORDED, ...limits, ...receipt.limits],
      checkpoint: standing && m.utf8(standing.signed, "a checkpoint"),
    });
  };

  Object.assign(m, { CERTIFICATE_FILE, verifyCertificateFile });
})();
