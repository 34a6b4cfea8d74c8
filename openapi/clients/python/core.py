"""Makes what the package has beside its shell: `sarsen.core` from the committed document (models and operations by
openapi-python-client, and `unions.py`, the names of its unions), and `client.py` and `table.py`, without `await`, from
`aio.py` and `aio_table.py`.

Hatchling calls this while it builds, so nothing that is made can differ from what it is made of. `python core.py
DIRECTORY` makes it by hand.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent
OPEN = "x-extensible-enum"
"""The values of an enumeration that later releases may extend."""


def document() -> Path:
    """The document: beside this file in a source distribution, two levels up in the repository."""
    beside = HERE / "openapi.json"
    return beside if beside.exists() else HERE.parent.parent / "openapi.json"


def unions(schemas: dict[str, Any]) -> str:
    """A module that names what the generator leaves without a name: every union of objects."""
    lines = ['"""The unions of the document, by name."""', "", "from . import models", ""]
    for name, schema in sorted(schemas.items()):
        parts = [part.get("$ref", "").rsplit("/")[-1] for part in schema.get("oneOf") or schema.get("anyOf") or []]
        if parts and all(schemas.get(part, {}).get("type") == "object" for part in parts):
            lines += [f"{name} = (", *(f"    {'| ' if at else ''}models.{part}" for at, part in enumerate(parts)), ")"]
    return "\n".join(lines) + "\n"


def typed(node: Any, schemas: dict[str, Any]) -> Any:
    """The document with every open enumeration as "one of these or any text", which this generator makes a type of."""
    if isinstance(node, list):
        return [typed(item, schemas) for item in node]
    if not isinstance(node, dict):
        return node
    if OPEN in schemas.get(str(node.get("$ref", "")).rsplit("/")[-1], {}):
        reference = {"anyOf": [{"$ref": node["$ref"]}, {"type": "string"}]}
        return {**{key: value for key, value in node.items() if key != "$ref"}, **reference}
    made = {("enum" if key == OPEN else key): typed(value, schemas) for key, value in node.items()}
    if "anyOf" in made:
        made["anyOf"] = [part for choice in made["anyOf"] for part in choice.get("anyOf", [choice])]
    return made


WITHOUT_AWAIT = [
    (r"\baio_table\b", "table"),
    (r"import anyio\n", "import threading\nimport time\n"),
    (r"anyio\.sleep", "time.sleep"),
    (r"anyio\.Lock", "threading.Lock"),
    (r"AsyncGenerator\[T, None\]", "Generator[T, None, None]"),
    (r"import AsyncGenerator, AsyncIterator, Awaitable, Callable", "import Callable, Generator, Iterator"),
    (r"Awaitable\[(Page\[T\]|Move \| str)\]", r"\1"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\.asyncio(_detailed)?\b", r".sync\1"),
    (r"push_async_callback", "callback"),
    (r"\ba(close|read|iter_text)\b", r"\1"),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"Async(Client|Table|ExitStack|BaseTransport|HTTPTransport|Iterator)", r"\1"),
    (r"(get|handle|set)_async_", r"\1_"),
    (r"Tasks may share", "Threads may share"),
]


PLAIN = {"client.py": "aio.py", "table.py": "aio_table.py"}
"""What is the same without `await`, and what it is made from."""


def make(directory: Path) -> None:
    """Makes the core in a directory that need not exist, and what is without `await` beside it."""
    for name, source in PLAIN.items():
        _, text = (HERE / "src/sarsen" / source).read_text().split("\n\n", 1)
        for pattern, plain in WITHOUT_AWAIT:
            text = re.sub(pattern, plain, text)
        (directory.parent / name).write_text(f'"""The same as `{source}` without `await`, made from it."""\n\n{text}')
    whole = json.loads(document().read_text())
    schemas = whole["components"]["schemas"]
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--overwrite"]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(typed(whole, schemas), file)
        file.flush()
        options = ["--path", file.name, "--config", HERE / "generator.json", "--output-path", directory]
        done = subprocess.run([*command, *map(str, options)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"openapi-python-client failed:\n{done.stdout}\n{done.stderr}")
    for operation in directory.glob("api/*/*.py"):
        text = operation.read_text().replace("import httpx\n", "import httpx\nfrom ....problems import expected\n", 1)
        text = text.replace("    return Response(\n", "    with expected(response):\n      return Response(\n")
        operation.write_text(text)
    (directory / "unions.py").write_text(unions(schemas))


class CoreHook(BuildHookInterface):
    """Puts the core into the wheel; nothing is written into the source tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.folder = tempfile.TemporaryDirectory()
        core = Path(self.folder.name) / "core"
        make(core)
        build_data["force_include"][str(core)] = "sarsen/core"
        for name in PLAIN:
            build_data["force_include"][str(core.parent / name)] = f"sarsen/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()


if __name__ == "__main__":
    make(Path(sys.argv[1]))
