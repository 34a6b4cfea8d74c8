"""Prints what programs can see of the package: public names, with their members and signatures."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import sarsen
import sarsen.pettingzoo


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
    annotations = {name: getattr(it, "__forward_arg__", it) for name, it in inspect.get_annotations(kind).items()}
    for name, annotation in sorted(annotations.items()):
        if not name.startswith("_"):
            yield f"{name}: {annotation}"
    if "__init__" in vars(kind) and kind.__module__.startswith("sarsen") and not hasattr(kind, "__dataclass_fields__"):
        for name in sorted({*re.findall(r"\bself\.([a-z]\w*)(?:: [^=]+)? = ", inspect.getsource(kind))} - {*annotations}):
            yield name


if __name__ == "__main__":
    public = [(name, getattr(sarsen, name)) for name in sorted(sarsen.__all__)]
    public += [(f"pettingzoo.{name}", getattr(sarsen.pettingzoo, name)) for name in sorted(sarsen.pettingzoo.__all__)]
    for name, value in public:
        if inspect.isclass(value):
            print(f"class {name}({', '.join(base.__name__ for base in value.__bases__)})")
            for member in members(value):
                print(f"    {member}")
        elif inspect.isfunction(value):
            print(f"def {name}{signature(value)}")
        elif isinstance(value, int):
            print(f"{name} = {value}")
        else:
            print(f"{name}: a union of the core")
