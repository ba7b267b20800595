#!/usr/bin/env python3
"""Profiles a CSV or TSV file row by row: types, empty and odd values, duplicates.

Example: python3 scripts/profile_csv.py orders.csv
"""
from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import re
import sys
from collections import Counter

INTEGER = re.compile(r"[+-]?\d{1,18}$")
NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?$")
DECIMAL_COMMA = re.compile(r"[+-]?\d{1,3}(\.\d{3})*,\d+$|[+-]?\d+,\d+$")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$")
LOCAL_DATE = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}$")
BOOLEANS = {"true", "false", "yes", "no"}
MAX_DISTINCT = 10_000
MAX_REMEMBERED_ROWS = 1_000_000


def kind_of(value: str) -> str:
    if INTEGER.match(value):
        return "integer"
    if NUMBER.match(value):
        return "number"
    if DATE.match(value):
        return "date"
    return "boolean" if value.lower() in BOOLEANS else "text"


class Column:
    def __init__(self, name: str) -> None:
        self.name = name
        self.filled = 0
        self.kinds: Counter[str] = Counter()
        self.values: Counter[str] = Counter()
        self.overflow = False
        self.low: dict[str, float | str] = {}
        self.high: dict[str, float | str] = {}
        self.examples: dict[str, str] = {}
        self.edge_blanks = 0
        self.leading_zeros = 0
        self.decimal_commas = 0
        self.local_dates = 0

    def add(self, raw: str) -> None:
        value = raw.strip()
        if value == "":
            return
        self.filled += 1
        self.edge_blanks += value != raw
        kind = kind_of(value)
        self.kinds[kind] += 1
        self.examples.setdefault(kind, value)
        self.leading_zeros += kind == "integer" and len(value) > 1 and value[0] == "0"
        self.decimal_commas += bool(DECIMAL_COMMA.match(value))
        self.local_dates += bool(LOCAL_DATE.match(value))
        if kind != "boolean":
            family = "number" if kind in ("integer", "number") else kind
            key: float | str = float(value) if family == "number" else value
            self.low[family] = min(self.low.get(family, key), key)
            self.high[family] = max(self.high.get(family, key), key)
        if value in self.values or len(self.values) < MAX_DISTINCT:
            self.values[value] += 1
        else:
            self.overflow = True

    def type(self) -> str:
        if self.filled == 0:
            return "empty"
        kinds = Counter(self.kinds)
        if kinds["number"]:  # whole and broken numbers together are numbers
            kinds["number"] += kinds.pop("integer", 0)
        kind, count = kinds.most_common(1)[0]
        # A number that starts with zero is a code: 01234 and 1234 are two values.
        return kind if count > self.filled / 2 and not self.leading_zeros else "text"

    def notes(self, rows: int) -> list[str]:
        notes: list[str] = []
        kind = self.type()
        family = "number" if kind in ("integer", "number") else kind
        if family in ("number", "date") and family in self.low:
            notes.append(f"{show(self.low[family], kind)}..{show(self.high[family], kind)}")
        odd = self.filled - sum(self.kinds[k] for k in (("integer", "number") if kind == "number" else (kind,)))
        if kind not in ("text", "empty") and odd:
            other = next(v for k, v in self.examples.items() if k != kind and not (kind == "number" and k == "integer"))
            is_are = "value is" if odd == 1 else "values are"
            notes.append(f"{odd} {is_are} not {article(kind)}: {quote(other)}")
        if kind == "text" and self.values and not self.overflow:
            value, count = min(self.values.items(), key=lambda item: (-item[1], item[0]))
            if count > 1:
                notes.append(f"top: {quote(value)} x{count}")
        if self.leading_zeros:
            notes.append("leading zeros")
        if self.decimal_commas:
            notes.append("decimal commas")
        if self.local_dates:
            notes.append("dates that are not ISO 8601")
        if self.edge_blanks:
            notes.append(f"blanks at the edges of {self.edge_blanks}")
        folded = {value.casefold() for value in self.values}
        if kind == "text" and len(folded) < len(self.values):
            notes.append("differs by case only")
        if not self.overflow and len(self.values) == 1 and self.filled == rows > 1:
            notes.append("constant")
        if not self.overflow and rows > 1 and len(self.values) == self.filled == rows:
            notes.append("every value distinct")
        return notes

    def report(self, rows: int) -> dict[str, object]:
        return {
            "name": self.name,
            "type": self.type(),
            "filled": self.filled,
            "filled_percent": round(100 * self.filled / rows) if rows else 0,
            "distinct": len(self.values),
            "distinct_is_exact": not self.overflow,
            "notes": self.notes(rows),
        }


def show(value: float | str, kind: str) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if kind == "integer" else str(value)


def article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def quote(value: str) -> str:
    line = re.sub(r"\s+", " ", value)
    return json.dumps(line if len(line) <= 40 else line[:39] + "…", ensure_ascii=False)


def guess_delimiter(sample: str) -> str:
    """The candidate that splits the first lines into the same number of fields, more than one."""
    best, best_score = ",", 0.0
    for delimiter in ",;\t|":
        widths = [len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter)][:20]
        if len(widths) > 1:
            widths = widths[:-1]  # the sample may end inside a row
        if not widths:
            continue
        width, agreeing = Counter(widths).most_common(1)[0]
        score = (width - 1) * agreeing / len(widths)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


def profile(stream: io.TextIOBase, name: str, args: argparse.Namespace) -> dict[str, object]:
    sample = stream.read(65_536)
    delimiter = guess_delimiter(sample) if args.delimiter is None else args.delimiter.replace("\\t", "\t")
    reader = csv.reader(join_lines(io.StringIO(sample, newline=""), stream), delimiter=delimiter)
    problems: list[str] = []
    try:
        first = next(reader)
    except StopIteration:
        return {"file": name, "rows": 0, "columns": [], "delimiter": delimiter, "problems": ["the file is empty"], "remarks": []}
    pending = [first] if args.no_header else []
    names = [f"c{i}" for i in range(1, len(first) + 1)] if args.no_header else [cell.strip() for cell in first]
    twice = sorted(name for name, count in Counter(names).items() if count > 1 and name)
    if twice:
        problems.append(f"duplicate column name: {', '.join(twice)}")
    if "" in names:
        problems.append("a column has no name")
    columns = [Column(name or f"c{i}") for i, name in enumerate(names, 1)]
    rows = duplicates = 0
    bad_lines: list[int] = []
    seen: set[bytes] = set()
    cut = False
    while True:
        row = pending.pop() if pending else next(reader, None)
        if row is None:
            break
        if not row:
            continue
        if rows == args.max_rows:
            cut = True
            break
        rows += 1
        if len(row) != len(columns):
            bad_lines.append(reader.line_num)
        for column, cell in zip(columns, row):
            column.add(cell)
        if len(seen) < MAX_REMEMBERED_ROWS:
            digest = hashlib.blake2b("\x1f".join(row).encode("utf-8", "surrogatepass"), digest_size=12).digest()
            duplicates += digest in seen
            seen.add(digest)
    if bad_lines:
        shown = ", ".join(map(str, bad_lines[:5])) + (", …" if len(bad_lines) > 5 else "")
        lines = "line" if len(bad_lines) == 1 else "lines"
        problems.append(f"{count_of(len(bad_lines), 'row')} with another number of fields ({lines} {shown})")
    remarks = [count_of(duplicates, "duplicate row")] if duplicates else []
    if cut:
        remarks.append(f"stopped after {rows} rows")
    return {
        "file": name,
        "rows": rows,
        "delimiter": delimiter,
        "problems": problems,
        "remarks": remarks,
        "columns": [column.report(rows) for column in columns],
    }


def join_lines(first, rest):
    """Lines of the sample, then of the stream; the last line of the sample may go on in the stream."""
    held = ""
    for line in first:
        if held:
            yield held
        held = line
    for line in rest:
        if held and not held.endswith(("\n", "\r")):
            yield held + line
        else:
            if held:
                yield held
            yield line
        held = ""
    if held:
        yield held


def count_of(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def as_text(result: dict) -> str:
    columns = result["columns"]
    delimiter = "tab" if result["delimiter"] == "\t" else f'"{result["delimiter"]}"'
    lines = [f'{result["file"]}: {count_of(result["rows"], "row")}, {count_of(len(columns), "column")}, delimiter {delimiter}']
    lines += [f"  {text}" for text in result["problems"] + result["remarks"]]
    if not columns:
        return "\n".join(lines)
    table = [("column", "type", "filled", "distinct", "notes")]
    for c in columns:
        distinct = str(c["distinct"]) + ("" if c["distinct_is_exact"] else "+")
        table.append((c["name"], c["type"], f'{c["filled_percent"]}%', distinct, "; ".join(c["notes"])))
    widths = [max(len(row[i]) for row in table) for i in range(4)]
    for row in table:
        lines.append("  ".join([cell.ljust(width) for cell, width in zip(row, widths)] + [row[4]]).rstrip())
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Profile a CSV or TSV file.")
    parser.add_argument("file", help='the table; "-" reads standard input')
    parser.add_argument("--delimiter")
    parser.add_argument("--encoding", default="utf-8-sig")
    parser.add_argument("--no-header", action="store_true")
    parser.add_argument("--max-rows", type=int, default=None)
    parser.add_argument("--format", choices=["text", "json"], default="text")
    args = parser.parse_args()
    csv.field_size_limit(10_000_000)
    try:
        if args.file == "-":
            stream = io.TextIOWrapper(sys.stdin.buffer, encoding=args.encoding, newline="")
            result = profile(stream, "standard input", args)
        else:
            with open(args.file, encoding=args.encoding, newline="") as stream:
                result = profile(stream, args.file.rsplit("/", 1)[-1], args)
    except (OSError, UnicodeError, LookupError, csv.Error, TypeError) as error:
        print(f"profile_csv: {args.file}: {error}", file=sys.stderr)
        return 2
    print(json.dumps(result, indent=2, ensure_ascii=False) if args.format == "json" else as_text(result))
    return 1 if result["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
