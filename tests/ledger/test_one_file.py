"""A stranger with nothing but Python: the formats, laid one after the other in a single file, check everything."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

from apps.ledger import format as formats
from tests.ledger.material import VECTORS
from tests.ledger.test_proof import ENTRY, POLICY, proof

FOLDER = Path(formats.__file__).parent
CHECK = """
import json, sys
assert not WITH_LIBRARY and "cryptography" not in sys.modules
proof, entry, policy, tessera = (bytes.fromhex(each) for each in sys.stdin.read().split())
print(Proof.parse(proof).check(entry, Policy.parse(policy)).witnesses)
log = json.loads(tessera)
key = VerifierKey.parse(log["vkey"])
for size in range(16):
    tree, note = parse_signed(log["checkpoints"][str(size)].encode())
    note.verify([key])
    assert root_from(TileNodes(size, lambda tile: bytes.fromhex(log["files_hex"][tile.path])), size) == tree.root
print("tessera")
"""


def modules() -> dict[str, ast.Module]:
    return {path.stem: ast.parse(path.read_text()) for path in FOLDER.glob("*.py") if path.stem != "__init__"}


def neighbours(tree: ast.Module) -> list[str]:
    return [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom) and node.level]


def one_file() -> str:
    trees = modules()
    order = graphlib.TopologicalSorter({name: neighbours(tree) for name, tree in trees.items()}).static_order()
    body = [node for name in order for node in trees[name].body]
    kept = [node for node in body if not (isinstance(node, ast.ImportFrom) and node.level)]
    return ast.unparse(ast.Module(kept, []))


def run_alone(folder: Path, program: str, given: str) -> list[str]:
    """The lines that a program prints when it stands behind the formats in one file, with Python and nothing else."""
    path = folder / "alone.py"
    path.write_text(one_file() + program)
    # -I and -S: no path, no environment, no installed packages.
    command = [sys.executable, "-I", "-S", str(path)]
    run = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_one_file_checks_a_proof_and_tesseras_log_with_python_alone(tmp_path: Path) -> None:
    checked = "\n".join(
        data.hex()
        for data in (
            proof(3).to_bytes(),
            ENTRY[3],
            f"log {POLICY.logs[0].key}\nwitness w {POLICY.witnesses['w'].key}\nquorum w\n".encode(),
            (VECTORS / "tlog-tiles-tessera.json").read_bytes(),
        )
    )
    assert run_alone(tmp_path, CHECK, checked) == ["{'w': 1700000000}", "tessera"]


def test_no_name_is_defined_twice() -> None:
    seen: dict[str, str] = {}
    for module, tree in modules().items():
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            names = [each.id for each in targets if isinstance(each, ast.Name)]
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names.append(node.name)
            for name in names:
                assert seen.setdefault(name, module) == module, f"{name} is in {seen[name]} and in {module}"


def test_they_import_one_another_and_little_else() -> None:
    allowed = {
        "base64",
        "collections",
        "cryptography",
        "dataclasses",
        "datetime",
        "enum",
        "hashlib",
        "hmac",
        "itertools",
        "json",
        "operator",
    }
    allowed |= {"re", "struct", "typing"}
    found = set()
    for tree in modules().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").split(".")[0])
    assert found <= allowed
