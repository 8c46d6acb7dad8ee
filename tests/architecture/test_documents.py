"""The documents say what is so: every setting, every word that is ever written down, every test they point to."""

import ast
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import pytest

from apps.policy import vocabulary
from apps.policy.vocabulary import ReceiptKind, Refusal

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
READERS = {"env_text", "env_int", "env_bool", "setting", "server", "env_database", "env_url"}
GIVEN_BY_OPS = {"MUNIMENT_DB_LOG_URL", "MUNIMENT_DB_ADMIN_URL", "MUNIMENT_DB_OWNER_URL"}  # named in ops' table of roles
TESTS_ONLY = {"MUNIMENT_TEST_DATABASE_URL", "MUNIMENT_TEST_REDIS_URL"}
OF_THE_MACHINE = {"XDG_STATE_HOME", "PATH"}  # not ours to describe


def settings_read() -> set[str]:
    """The variables that the code reads, found where they are read."""
    found: set[str] = set()
    for path in [*(ROOT / "vault").glob("*.py"), *(ROOT / "ops").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            where = ast.unparse(node.func)
            first = node.args[0]
            if (name in READERS or where == "os.environ.get") and isinstance(first, ast.Constant):
                found.add(str(first.value))
    return found - OF_THE_MACHINE


def settings_listed() -> list[str]:
    """The variables that .env.example lists, in its order."""
    return re.findall(r"^#?([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)


def test_the_example_lists_exactly_the_settings_that_are_read() -> None:
    assert set(settings_listed()) == settings_read() | GIVEN_BY_OPS | TESTS_ONLY


def test_the_table_of_every_setting_lists_those_and_no_other() -> None:
    text = (ROOT / "docs/self-hosting.md").read_text().partition("\n## Every setting\n")[2]
    table = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    named = [name for cell in table for name in re.findall(r"`([A-Z_]+)`", cell)]
    assert len(named) == len(set(named))
    assert set(named) == set(settings_listed())


def test_each_is_listed_once_and_commented_out_with_its_meaning() -> None:
    listed = settings_listed()
    assert len(listed) == len(set(listed))
    lines = (ROOT / ".env.example").read_text().splitlines()
    for number, line in enumerate(lines):
        if re.match(r"#?[A-Z][A-Z0-9_]+=", line):
            assert line.startswith("#"), f"{line} is set by whoever copies the file"
            assert lines[number - 1].startswith("# "), f"{line} has no line of meaning before it"


def test_no_setting_is_set_to_a_secret() -> None:
    for line in (ROOT / ".env.example").read_text().splitlines():
        if re.search(r"SECRET|_KEY=|TOKEN", line) and "=" in line and "FILE" not in line:
            assert line.partition("=")[2].strip() == "", line


# ---------------------------------------------------------------- words
@pytest.mark.parametrize("kind", ReceiptKind)
def test_every_kind_of_receipt_is_described(kind: ReceiptKind) -> None:
    assert f"`{kind.value}`" in (ROOT / "docs/receipt-format.md").read_text()


@pytest.mark.parametrize("refusal", Refusal)
def test_every_reason_for_a_no_is_described(refusal: Refusal) -> None:
    assert f"`{refusal.value}`" in (ROOT / "docs/receipt-format.md").read_text()


def closed_lists() -> Iterator[type[StrEnum]]:
    for each in vars(vocabulary).values():
        if isinstance(each, type) and issubclass(each, StrEnum) and each is not StrEnum:
            yield each


@pytest.mark.parametrize("words", list(closed_lists()), ids=lambda words: words.__name__)
def test_every_word_of_a_closed_list_is_in_some_document(words: type[StrEnum]) -> None:
    text = "\n".join(path.read_text() for path in DOCS)
    missing = [word.value for word in words if not re.search(rf"\b{re.escape(word.value)}\b", text)]
    assert missing == []


NOUNS = (
    "holder vault space client recipient operator memory subject category label value version sealed attested claim"
    " proposal request part purpose decision grant refusal revoke receipt kind commitment checkpoint share opening turn"
).split()


@pytest.mark.parametrize("noun", NOUNS)
def test_every_noun_of_the_glossary_is_explained(noun: str) -> None:
    text = (ROOT / "docs/glossary.md").read_text()
    assert re.search(rf"\*\*{noun}\*\*", text), f"docs/glossary.md does not explain {noun}"


def test_no_word_of_a_receipt_has_two_meanings() -> None:
    """A kind is dotted, a reason is hyphenated: neither can be taken for the other."""
    assert not {kind.value for kind in ReceiptKind} & {refusal.value for refusal in Refusal}
    assert all(re.fullmatch(r"[a-z]+\.[a-z]+", kind.value) for kind in ReceiptKind)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", refusal.value) for refusal in Refusal)


# ---------------------------------------------------------------- what they point to
def names_of_tests() -> set[str]:
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        found |= {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}
    return found


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_test_a_document_names_is_there(path: Path) -> None:
    text, known = path.read_text(), names_of_tests()
    for name in re.findall(r"`(test_\w+)`", text):
        assert name in known, f"{path.name} names {name}"
    for name in re.findall(r"`(?:tests/)?((?:\w+/)+(?:test_\w+\.py|\w+\.json))`", text):
        assert (ROOT / "tests" / name).exists() or (ROOT / name).exists(), f"{path.name} names {name}"


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_file_a_document_links_to_is_there(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", path.read_text()):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_every_limit_is_in_the_threat_model() -> None:
    tree = ast.parse((ROOT / "tests/properties/test_what_we_do_not_promise.py").read_text())
    text = (ROOT / "docs/threat-model.md").read_text()
    limits = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    assert [name for name in limits if f"`{name}`" not in text] == []


def test_every_promise_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text()
    promises = sorted(path.name for path in (ROOT / "tests/properties").glob("test_*.py"))
    assert [name for name in promises if f"properties/{name}" not in text] == []


def test_every_decision_has_its_number_and_is_listed() -> None:
    folder = ROOT / "docs/decisions"
    numbered = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert [name[:4] for name in numbered] == [f"{number:04}" for number in range(1, len(numbered) + 1)]
    listed = (folder / "README.md").read_text()
    assert [name for name in numbered if name not in listed] == []


def test_the_table_of_promises_says_what_the_files_say() -> None:
    text = (ROOT / "tests/README.md").read_text()
    for path in sorted((ROOT / "tests/properties").glob("test_*.py")):
        promise = (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n\n")[0]
        assert f"| {' '.join(promise.split())} | `properties/{path.name}` |" in text


def test_every_folder_of_tests_is_explained() -> None:
    text = (ROOT / "tests/README.md").read_text()
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/*.py")} - {"properties"}
    assert {name for name in folders if f"`{name}/`" not in text} == set()
