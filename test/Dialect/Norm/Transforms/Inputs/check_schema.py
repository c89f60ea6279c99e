"""Checks a JSON file against a JSON schema.

usage: check_schema.py SCHEMA FILE

Knows the keywords that docs/report-schema.json uses, and refuses others, so that
nothing in the schema goes unchecked.
"""

import json
import sys

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
KNOWN = {
    "$schema", "$defs", "title", "description",
    "$ref", "anyOf", "enum", "type", "minimum", "items",
    "properties", "required", "additionalProperties",
}  # fmt: skip


def has_type(value, name):
    # To Python, True is an int.
    return isinstance(value, TYPES[name]) and (
        not isinstance(value, bool) or name == "boolean"
    )


def errors(value, schema, root, path="$"):
    """Yields what is wrong with `value`, as text."""
    if unknown := set(schema) - KNOWN:
        sys.exit(f"keywords that this program does not know: {sorted(unknown)}")
    if "$ref" in schema:
        target = root
        for key in schema["$ref"].removeprefix("#/").split("/"):
            target = target[key]
        yield from errors(value, target, root, path)
    if "anyOf" in schema:
        choices = [list(errors(value, s, root, path)) for s in schema["anyOf"]]
        if all(choices):
            yield from max(choices, key=len)
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: expected one of {schema['enum']}, but got {value!r}"
    if "type" in schema:
        types = schema["type"]
        types = [types] if isinstance(types, str) else types
        if not any(has_type(value, t) for t in types):
            yield f"{path}: expected {' or '.join(types)}, but got {value!r}"
            return
    if "minimum" in schema and value is not None and not value >= schema["minimum"]:
        yield f"{path}: expected at least {schema['minimum']}, but got {value!r}"
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for key in schema.get("required", []):
            if key not in value:
                yield f"{path}: no {key!r}"
        for key, item in value.items():
            if key in properties:
                yield from errors(item, properties[key], root, f"{path}.{key}")
            elif schema.get("additionalProperties") is False:
                yield f"{path}: {key!r} is not in the schema"
        order = [key for key in schema.get("required", []) if key in value]
        if order != [key for key in value if key in order]:
            yield f"{path}: expected the order {order}, but got {list(value)}"
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from errors(item, schema["items"], root, f"{path}[{index}]")


def not_json(constant):
    raise ValueError(f"{constant} is not JSON")


def main():
    with open(sys.argv[1]) as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        document = json.load(file, parse_constant=not_json)
    found = list(errors(document, schema, schema))
    print("\n".join(found) or "valid")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
