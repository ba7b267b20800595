#!/usr/bin/env python3
"""Groups log lines into distinct messages with counts, first and last time and an example.

Example: python3 scripts/cluster_logs.py app.log --level error --baseline yesterday.log
"""
from __future__ import annotations

import argparse
import gzip
import io
import json
import re
import sys
from dataclasses import dataclass
from datetime import datetime, timezone

LEVELS = ["debug", "info", "warn", "error", "fatal"]
LEVEL_WORDS = {
    "trace": "debug", "debug": "debug", "info": "info", "notice": "info", "warn": "warn", "warning": "warn",
    "error": "error", "err": "error", "severe": "error", "fatal": "fatal", "critical": "fatal", "crit": "fatal",
    "panic": "fatal", "emerg": "fatal", "alert": "fatal",
}
ISO_TIME = re.compile(r"\[?(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2})(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?\]?\s*")
SYSLOG_TIME = re.compile(r"([A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2})\s+")
LEVEL = re.compile(r"[\[(<]?\b(" + "|".join(LEVEL_WORDS) + r")\b[\])>]?:?\s*", re.IGNORECASE)
CONTINUED = re.compile(r"\s|at |Caused by:|Traceback|\.\.\. \d+ more|[\w.]+(Error|Exception): ")

# Order matters: the longer shapes first, bare numbers last.
MASKS = [
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.I), "<id>"),
    (re.compile(r"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?"), "<time>"),
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"), "<mail>"),
    (re.compile(r"\bhttps?://[^\s\"'<>]+"), "<url>"),
    (re.compile(r"\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b"), "<ip>"),
    (re.compile(r"\"[^\"]*\"|'[^']*'"), "<text>"),
    (re.compile(r"(?<![\w<])/[\w.@%+-]+(/[\w.@%+-]+)+"), "<path>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b|\b0x[0-9a-f]+\b", re.I), "<hex>"),
    (re.compile(r"\d+(\.\d+)?"), "<n>"),
]


@dataclass
class Entry:
    line: int
    time: str | None
    level: str | None
    message: str


@dataclass
class Message:
    template: str
    level: str | None
    count: int
    first: str | None
    last: str | None
    example: str
    example_line: int
    baseline: int | None = None


def mask(text: str) -> str:
    for pattern, mark in MASKS:
        text = pattern.sub(mark, text)
    return re.sub(r"\s+", " ", text).strip()[:300]


def from_json(record: dict, line: int) -> Entry:
    def first(*keys: str):
        return next((record[key] for key in keys if record.get(key) not in (None, "")), None)

    time, level = first("time", "timestamp", "ts", "@timestamp"), first("level", "severity", "lvl")
    if isinstance(time, (int, float)):
        seconds = time / 1000 if time > 1e11 else time
        time = datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    elif time is not None:
        time = str(time)[:19].replace(" ", "T")
    if isinstance(level, (int, float)):  # pino and bunyan: 10 trace … 60 fatal
        level = LEVELS[max(0, min(4, int(level) // 10 - 2))]
    elif level is not None:
        level = LEVEL_WORDS.get(str(level).lower())
    return Entry(line, time, level, str(first("msg", "message", "error", "err") or json.dumps(record, sort_keys=True)))


def from_text(text: str, line: int) -> Entry:
    time = None
    match = ISO_TIME.match(text)
    if match:
        time, text = match.group(1).replace(" ", "T"), text[match.end():]
    else:
        match = SYSLOG_TIME.match(text)
        if match:
            time, text = match.group(1), text[match.end():]
    for match in LEVEL.finditer(text[:60]):
        # Inside a line only capitals or a colon make a level: "no error so far" is a message.
        if match.start() == 0 or match.group(1).isupper() or match.group().rstrip().endswith(":"):
            message = text[match.end():] if match.start() == 0 else text
            return Entry(line, time, LEVEL_WORDS[match.group(1).lower()], message)
    return Entry(line, time, None, text)


def entries(stream: io.TextIOBase):
    """One entry a message; lines that continue the one before are left out."""
    started = timed = False
    for number, raw in enumerate(stream, 1):
        text = raw.rstrip("\r\n")
        if not text.strip():
            continue
        if text.startswith("{"):
            try:
                record = json.loads(text)
            except ValueError:
                record = None
            if isinstance(record, dict):
                started, timed = True, False
                yield from_json(record, number)
                continue
        entry = from_text(text, number)
        # Where lines start with a time, one without belongs to the line before.
        if started and entry.time is None and (timed or CONTINUED.match(text)):
            continue
        started, timed = True, entry.time is not None
        yield entry


def open_log(path: str) -> io.TextIOBase:
    if path == "-":
        return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    if path.endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8", errors="replace")
    return open(path, encoding="utf-8", errors="replace")


def wanted(entry: Entry, args: argparse.Namespace) -> bool:
    if args.level and (entry.level is None or LEVELS.index(entry.level) < LEVELS.index(args.level)):
        return False
    if args.since or args.until:
        if entry.time is None:
            return False
        if args.since and entry.time < args.since.replace(" ", "T"):
            return False
        if args.until and entry.time > args.until.replace(" ", "T"):
            return False
    return True


def collect(paths: list[str], args: argparse.Namespace, filtered: bool) -> tuple[dict[tuple[str, str | None], Message], int]:
    messages: dict[tuple[str, str | None], Message] = {}
    lines = 0
    for path in paths:
        with open_log(path) as stream:
            for entry in entries(stream):
                if filtered and not wanted(entry, args):
                    continue
                lines += 1
                template = mask(entry.message)
                known = messages.get((template, entry.level))
                if known is None:
                    messages[template, entry.level] = Message(
                        template, entry.level, 1, entry.time, entry.time, entry.message[:300], entry.line)
                    continue
                known.count += 1
                if entry.time is not None:
                    known.first = min(known.first or entry.time, entry.time)
                    known.last = max(known.last or entry.time, entry.time)
    return messages, lines


def clock(time: str | None, same_day: bool) -> str:
    return "-" if time is None else time[11:] if same_day and "T" in time else time


def mark(message: Message) -> str:
    if message.baseline is None:
        return ""
    if message.baseline == 0:
        return "  NEW"
    return f"  was {message.baseline}" if message.count >= 2 * message.baseline else ""


def as_text(names: str, lines: int, messages: list[Message], shown: int) -> str:
    times = sorted(t for m in messages for t in (m.first, m.last) if t)
    span = f", {times[0]} to {times[-1]}" if times else ""
    same_day = bool(times) and times[0][:10] == times[-1][:10]
    nouns = "line" if lines == 1 else "lines", "message" if len(messages) == 1 else "messages"
    out = [f"{names}: {lines} {nouns[0]}, {len(messages)} {nouns[1]}{span}"]
    width = len(str(messages[0].count))
    for m in messages[:shown]:
        period = f"{clock(m.first, same_day)}..{clock(m.last, same_day)}"
        out.append(f"  {m.count:>{width}}  {m.level or '-':5}  {period}  {m.template}{mark(m)}")
        if m.example != m.template:
            out.append(f"  {'':{width}}  line {m.example_line}: {m.example}")
    if len(messages) > shown:
        out.append(f"  … and {len(messages) - shown} more (--top)")
    return "\n".join(out)


def main() -> int:
    parser = argparse.ArgumentParser(description="Group log lines into distinct messages.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--level", choices=LEVELS)
    parser.add_argument("--since")
    parser.add_argument("--until")
    parser.add_argument("--baseline", metavar="FILE")
    parser.add_argument("--top", type=int, default=20)
    parser.add_argument("--format", choices=["text", "json"], default="text")
    args = parser.parse_args()
    try:
        found, lines = collect(args.files, args, filtered=True)
        if args.baseline:
            before, _ = collect([args.baseline], args, filtered=False)
            for key, message in found.items():
                message.baseline = before[key].count if key in before else 0
    except OSError as error:
        print(f"cluster_logs: {error}", file=sys.stderr)
        return 2
    if not found:
        print("cluster_logs: no line was left to group", file=sys.stderr)
        return 2
    ordered = sorted(found.values(), key=lambda m: (-m.count, m.first or "", m.template))
    if args.format == "json":
        print(json.dumps({"lines": lines, "messages": [vars(m) for m in ordered[: args.top]]}, indent=2, ensure_ascii=False))
    else:
        print(as_text(", ".join(path.rsplit("/", 1)[-1] for path in args.files), lines, ordered, args.top))
    return 0


if __name__ == "__main__":
    sys.exit(main())
