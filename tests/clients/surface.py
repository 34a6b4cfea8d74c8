"""Prints what programs can see of the package: public names, with their members and signatures."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import sarsen


def signature(value: object) -> str:
    assert callable(value)
    return re.sub(r"<[^>]*\.Unset object[^>]*>", "UNSET", str(inspect.signature(value)).replace("'", ""))


def members(kind: type) -> Iterator[str]:
    for name, value in sorted(vars(kind).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(value, property):
            yield f"{name} -> {inspect.get_annotations(value.fget)['return']}" if value.fget else name
        elif isinstance(value, (classmethod, staticmethod)) or inspect.isfunction(value):
            yield f"{name}{signature(getattr(kind, name))}"
    for name, annotation in sorted(inspect.get_annotations(kind).items()):
        if not name.startswith("_"):
            yield f"{name}: {annotation}"
    if "__init__" in vars(kind) and kind.__module__.startswith("sarsen") and not hasattr(kind, "__dataclass_fields__"):
        for name, annotation in re.findall(r"\bself\.([a-z]\w*)(: [^=]+)? = ", inspect.getsource(kind)):
            yield f"{name}{annotation}"


if __name__ == "__main__":
    for name in sorted(sarsen.__all__):
        value = getattr(sarsen, name)
        if inspect.isclass(value):
            print(f"class {name}({', '.join(base.__name__ for base in value.__bases__)})")
            for member in members(value):
                print(f"    {member}")
        elif inspect.isfunction(value):
            print(f"def {name}{signature(value)}")
        else:
            print(f"{name}: a union of the core")
