#!/usr/bin/env python3
"""Reports what makes models choose or call MCP tools wrongly, from the answer to tools/list.

Example: python3 scripts/check_tools.py answers.jsonl
"""
from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*$")
VAGUE = {"run", "execute", "process", "handle", "do", "manage", "query", "search", "get", "list", "update", "call"}
MAX_TOOLS, MAX_ARGUMENTS, MIN_DESCRIPTION, MAX_DESCRIPTION = 15, 8, 40, 1_024
WRITES = re.compile(r"^(create|update|delete|remove|cancel|set|add|send|post|put|write|move|merge|archive|close)_")
ERASES = re.compile(r"^(delete|remove|cancel|update|set|put|write|move|merge)_")


class Report:
    def __init__(self) -> None:
        self.findings: list[dict[str, str]] = []

    def add(self, severity: str, tool: str, text: str) -> None:
        self.findings.append({"severity": severity, "tool": tool, "text": text})


def tools_of(text: str) -> list[dict]:
    try:
        candidates = [json.loads(text)]
    except ValueError:
        candidates = [json.loads(line) for line in text.splitlines() if line.strip()]
    for value in candidates:
        if isinstance(value, dict) and isinstance(value.get("result"), dict):
            value = value["result"]
        if isinstance(value, dict):
            value = value.get("tools")
        if isinstance(value, list) and all(isinstance(tool, dict) and "name" in tool for tool in value):
            return value
    raise ValueError("there is no list of tools in it")


def check_schema(report: Report, tool: str, schema: object, place: str) -> None:
    if not isinstance(schema, dict):
        report.add("error", tool, f"{place} is not a schema")
        return
    if not any(key in schema for key in ("type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref")):
        report.add("error", tool, f"{place} has no type")
    if schema.get("type") == "array" and "items" not in schema:
        report.add("warning", tool, f"{place} does not say what its items are")
    properties = schema.get("properties") or {}
    if not isinstance(properties, dict):
        report.add("error", tool, f"{place}.properties is not an object")
        return
    for name, part in properties.items():
        inner = f"{place}.properties.{name}"
        check_schema(report, tool, part, inner)
        if isinstance(part, dict) and not part.get("description") and "enum" not in part:
            report.add("warning", tool, f"{inner} has no description")
    if isinstance(schema.get("items"), dict):
        check_schema(report, tool, schema["items"], f"{place}.items")


def check_tool(report: Report, tool: dict) -> None:
    name = str(tool["name"])
    if not NAME.match(name):
        report.add("warning", name, "the name is not lower case words joined by _")
    elif name in VAGUE:
        report.add("warning", name, "the name does not say on what it works")
    description = str(tool.get("description") or "").strip()
    if not description:
        report.add("error", name, "no description")
    elif len(description) < MIN_DESCRIPTION:
        report.add("warning", name, f"the description is short ({len(description)} characters): say what it returns and when to use it")
    elif len(description) > MAX_DESCRIPTION:
        report.add("warning", name, f"the description is long ({len(description)} characters)")
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        report.add("error", name, "inputSchema is not an object schema")
    else:
        check_schema(report, name, schema, "inputSchema")
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        if len(properties) > MAX_ARGUMENTS:
            report.add("warning", name, f"{len(properties)} arguments; models get more than {MAX_ARGUMENTS} wrong")
        for required in schema.get("required") or []:
            if required not in properties:
                report.add("error", name, f"requires {required}, which it does not describe")
        if properties and schema.get("additionalProperties") is not False:
            report.add("info", name, "accepts unknown arguments; a misspelled one is lost")
    hints = tool.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    writes = bool(WRITES.match(name))
    if not writes and "readOnlyHint" not in hints:
        report.add("info", name, "readOnlyHint is not stated")
    if writes and hints.get("readOnlyHint") is True:
        report.add("error", name, "is named like a change but says readOnlyHint")
    if ERASES.match(name) and "destructiveHint" not in hints:
        report.add("warning", name, "destructiveHint is not stated")


def check(tools: list[dict]) -> Report:
    report = Report()
    by_name: dict[str, int] = defaultdict(int)
    by_description: dict[str, list[str]] = defaultdict(list)
    for tool in tools:
        check_tool(report, tool)
        by_name[str(tool["name"])] += 1
        if tool.get("description"):
            by_description[str(tool["description"]).strip().lower()].append(str(tool["name"]))
    for name, count in by_name.items():
        if count > 1:
            report.add("error", name, f"{count} tools have this name")
    for names in by_description.values():
        if len(names) > 1:
            report.add("warning", names[0], f"has the same description as {', '.join(names[1:])}")
    if len(tools) > MAX_TOOLS:
        report.add("warning", "(all)", f"{len(tools)} tools; above {MAX_TOOLS} models choose worse")
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the definitions of MCP tools.")
    parser.add_argument("file", metavar="FILE", help='answer to tools/list; "-" reads standard input')
    parser.add_argument("--format", choices=["text", "json"], default="text")
    args = parser.parse_args()
    try:
        if args.file == "-":
            text = sys.stdin.buffer.read().decode("utf-8")
        else:
            with open(args.file, encoding="utf-8") as stream:
                text = stream.read()
        tools = tools_of(text)
    except (OSError, ValueError) as error:
        print(f"check_tools: {args.file}: {error}", file=sys.stderr)
        return 2
    report = check(tools)
    tokens = len(json.dumps(tools).encode()) // 4
    severities = ["error", "warning", "info"]
    report.findings.sort(key=lambda finding: severities.index(finding["severity"]))
    if args.format == "json":
        print(json.dumps({"tools": len(tools), "tokens": tokens, "findings": report.findings}, indent=2))
    else:
        print(f"{len(tools)} {'tool' if len(tools) == 1 else 'tools'}, about {tokens} tokens")
        for finding in report.findings:
            print(f"{finding['severity']:7}  {finding['tool']}: {finding['text']}")
    return 1 if any(finding["severity"] != "info" for finding in report.findings) else 0


if __name__ == "__main__":
    sys.exit(main())
