#!/usr/bin/env python3
"""Compares two versions of a table by key: rows added, removed, changed, and in which columns.

Example: python3 scripts/compare_csv.py before.csv after.csv --key order_id
"""
from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter

sys.dont_write_bytecode = True  # a skill's folder is read-only while a step runs

from profile_csv import guess_delimiter  # noqa: E402


class CannotCompare(Exception):
    pass


def load(path: str, key: list[str]) -> tuple[list[str], dict[tuple[str, ...], dict[str, str]]]:
    with open(path, encoding="utf-8-sig", newline="") as stream:
        delimiter = guess_delimiter(stream.read(65_536))
        stream.seek(0)
        reader = csv.DictReader(stream, delimiter=delimiter)
        names = list(reader.fieldnames or [])
        missing = [column for column in key if column not in names]
        if missing:
            raise CannotCompare(f"{path}: no column {', '.join(missing)}; it has {', '.join(names)}")
        rows: dict[tuple[str, ...], dict[str, str]] = {}
        twice: list[str] = []
        for row in reader:
            if None in row or None in row.values():
                raise CannotCompare(f"{path}: line {reader.line_num} has another number of fields")
            identity = tuple(row[column] for column in key)
            if identity in rows:
                twice.append("/".join(identity))
            rows[identity] = row
        if twice:
            shown = ", ".join(sorted(set(twice))[:5])
            raise CannotCompare(f"{path}: the key {'+'.join(key)} is not unique ({shown})")
        return names, rows


def compare(args: argparse.Namespace) -> dict[str, object]:
    old_names, old = load(args.old, args.key)
    new_names, new = load(args.new, args.key)
    compared = [n for n in old_names if n in new_names and n not in args.key and n not in args.ignore]
    by_column: Counter[str] = Counter()
    changes = []
    for identity in sorted(old.keys() & new.keys()):
        fields = {c: [old[identity][c], new[identity][c]] for c in compared if old[identity][c] != new[identity][c]}
        if fields:
            by_column.update(fields.keys())
            changes.append({"key": "/".join(identity), "fields": fields})
    added = ["/".join(k) for k in sorted(new.keys() - old.keys())]
    removed = ["/".join(k) for k in sorted(old.keys() - new.keys())]
    return {
        "columns_added": [n for n in new_names if n not in old_names],
        "columns_removed": [n for n in old_names if n not in new_names],
        "added": {"count": len(added), "keys": added[: args.limit]},
        "removed": {"count": len(removed), "keys": removed[: args.limit]},
        "changed": {"count": len(changes), "by_column": dict(by_column.most_common()), "rows": changes[: args.limit]},
        "equal": not (added or removed or changes or set(old_names) != set(new_names)),
    }


def as_text(result: dict) -> str:
    if result["equal"]:
        return "The tables are equal."
    lines = []
    for kind in ("columns_added", "columns_removed"):
        if result[kind]:
            lines.append(f"{kind.replace('_', ' ')}: {', '.join(result[kind])}")
    for kind in ("added", "removed"):
        part = result[kind]
        more = " …" if part["count"] > len(part["keys"]) else ""
        lines.append(f"rows {kind}: {part['count']}" + (f" ({', '.join(part['keys'])}{more})" if part["keys"] else ""))
    changed = result["changed"]
    counts = ", ".join(f"{column} {count}" for column, count in changed["by_column"].items())
    lines.append(f"rows changed: {changed['count']}" + (f" ({counts})" if counts else ""))
    for row in changed["rows"]:
        fields = "; ".join(f"{c}: {json.dumps(a, ensure_ascii=False)} -> {json.dumps(b, ensure_ascii=False)}" for c, (a, b) in row["fields"].items())
        lines.append(f"  {row['key']}: {fields}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare two versions of a CSV table by key.")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--key", action="append", required=True, metavar="COLUMN")
    parser.add_argument("--ignore", action="append", default=[], metavar="COLUMN")
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--format", choices=["text", "json"], default="text")
    args = parser.parse_args()
    csv.field_size_limit(10_000_000)
    try:
        result = compare(args)
    except (CannotCompare, OSError, UnicodeError, csv.Error) as error:
        print(f"compare_csv: {error}", file=sys.stderr)
        return 2
    print(json.dumps(result, indent=2, ensure_ascii=False) if args.format == "json" else as_text(result))
    return 0 if result["equal"] else 1


if __name__ == "__main__":
    sys.exit(main())
