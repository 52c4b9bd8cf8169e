#!/usr/bin/env python3
"""python/ulpscope/fields.py: what --json of a command has, as classes, of the schemas that test_schema holds the program to.

    tools/fields.py                 prints it
    tools/pages --only fields       writes it
"""

import json
import keyword
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
ANSWERS = {"Exact": "exact-1", "Attack": "attack-1", "Explain": "explain-1", "Blame": "blame-1", "Lesson": "lessons-1", "Run": "run-2",
           "Check": "check-1"}
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
NAMES = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
HEAD = '''"""What --json of a command has: attributes of its answer and of what that holds.  tools/pages writes this file, from reports/schemas."""

from __future__ import annotations

import typing

from ulpscope.typed import Fields

# fmt: off
'''


class Types:
    """Classes by their names, those of one schema behind those of another: objects with the same fields have one class."""

    def __init__(self):
        self.classes, self.defs, self.of = dict.fromkeys(ANSWERS, ""), {}, ""  # names of answers are taken

    def add(self, name, schema):
        self.defs, self.of = schema.get("$defs", {}), name
        self.classes[name] = self.body(name.lower(), schema)

    def merged(self, schema):
        """An object with what it takes from others; properties that a reference brings come first."""
        whole = {**schema, "properties": {}}
        for part in [self.defs[schema["$ref"].rpartition("/")[2]]] if "$ref" in schema else schema.get("allOf", []):
            part = self.merged(part)
            whole = {**part, **whole, "properties": {**whole["properties"], **part["properties"]}, "required": [*whole.get("required", []), *part.get("required", [])]}
        whole["properties"].update(schema.get("properties", {}))
        return whole

    def body(self, name, schema):
        schema = self.merged(schema)
        fields = {**dict.fromkeys(schema.get("required", ()), schema.get("additionalProperties")), **schema["properties"]}
        lines = []
        for field, of in fields.items():
            kind = self.type(field if field in schema["properties"] else f"{name}_entry", of)
            if field not in schema.get("required", ()) and not kind.startswith("typing.Optional"):
                kind = f"typing.Optional[{kind}]"
            if field.endswith("_hex") and field[:-4] in fields:  # beside its number
                code, mark, why = lines[-1].partition("  # ")
                lines[-1] = f"{code}; {field}: {kind}{mark}{why}"
                continue
            is_name = field.isidentifier() and not keyword.iskeyword(field) and not hasattr(dict, field)
            lines.append((f"    {field}: {kind}" if is_name else f"    # [{field!r}]: {kind}") + ("  # " + of["description"] if "description" in of else ""))
        return "\n".join(lines)

    def object(self, field, schema):
        """The name of its class: that of one with the same fields, or of its field, or of the answer and its field."""
        body, title = self.body(field, schema), "".join(word.capitalize() for word in field.split("_"))
        alike = [name for name, other in self.classes.items() if other == body]
        for name in alike or (title, self.of + title, f"{self.of}{title}Entry"):
            if self.classes.setdefault(name, body) == body:
                return name
        raise ValueError(f"expected one class {self.of}{title}, found two")

    def type(self, field, schema):
        if schema.get("$ref") == "#":  # as a statistic's sums are
            self.classes[f"{self.of}Part"] = ""
            return f"{self.of}Part"
        if "$ref" in schema and len(set(schema) - {"description"}) == 1:
            of = schema["$ref"].rpartition("/")[2]
            return self.type(of, self.defs[of])
        several = [one for one in schema.get("anyOf", []) if one != {"type": "null"}]
        if several:
            kinds = {self.type(field, one) for one in several} - {"str"} or {"str"}  # "nan" and "inf", which become numbers
            (kind,) = kinds
            return f"typing.Optional[{kind}]" if len(several) < len(schema["anyOf"]) else kind
        if "properties" in schema or "allOf" in schema or schema.get("required") and "additionalProperties" in schema:
            return self.object(field, schema)
        if schema.get("type") == "object":
            return f"typing.Dict[str, {self.type(field, schema['additionalProperties'])}]"
        if schema.get("type") == "array":
            return f"typing.List[{self.type(field, schema['items'])}]"
        kinds = schema.get("type") or list(dict.fromkeys(NAMES[type(one)] for one in schema.get("enum", [schema.get("const")])))
        kinds = [kinds] if isinstance(kinds, str) else kinds
        (kind,) = (PLAIN[one] for one in kinds if one != "null")
        return f"typing.Optional[{kind}]" if "null" in kinds else kind


def page():
    types = Types()
    for name, of in ANSWERS.items():
        types.add(name, json.loads((SOURCE / f"reports/schemas/ulpscope-{of}.schema.json").read_text()))
    text = HEAD
    for name in sorted(types.classes, key=lambda name: name.endswith("Part")):
        whole = name[:-4] if name.endswith("Part") and name[:-4] in ANSWERS else ""
        text += f"\nclass {name}({whole}, Fields):\n    pass\n" if whole else f"\nclass {name}{'' if name in ANSWERS else '(Fields)'}:\n{types.classes[name]}\n"
    return text


if __name__ == "__main__":
    sys.stdout.write(page())
