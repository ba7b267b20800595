#!/usr/bin/env python3
"""Ranks a table of leads by weighted criteria; unknown values neither help nor hurt, but are shown.

Example: python3 scripts/score_leads.py leads.csv --weight fleet=3 --weight timing=2 --must region
"""
from __future__ import annotations

import argparse
import csv
import sys

HIGHEST = 3


class BadTable(Exception):
    pass


def weight(text: str) -> tuple[str, float]:
    name, separator, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = 0
    if not separator or not name or not 0 < value < 1000:
        raise argparse.ArgumentTypeError(f"must be NAME=N with N above 0, not {text!r}")
    return name, value


def read(path: str, criteria: list[str]) -> list[dict]:
    with open(path, encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream)
        missing = [name for name in ["company", *criteria] if name not in (reader.fieldnames or [])]
        if missing:
            raise BadTable(f"no column {', '.join(missing)}")
        leads = []
        for row in reader:
            lead = {"company": (row["company"] or "").strip(), "values": {}}
            if not lead["company"]:
                raise BadTable(f"line {reader.line_num}: company is blank")
            for name in criteria:
                text = (row[name] or "").strip()
                if text not in ("", "0", "1", "2", "3"):
                    raise BadTable(f"line {reader.line_num}: {name} must be 0 to 3 or empty, not {text!r}")
                lead["values"][name] = int(text) if text else None
            leads.append(lead)
    if not leads:
        raise BadTable("no leads")
    return leads


def score(lead: dict, weights: dict[str, float]) -> None:
    known = {name: lead["values"][name] for name in weights if lead["values"][name] is not None}
    known_weight = sum(weights[name] for name in known)
    points = sum(weights[name] * value for name, value in known.items())
    lead["score"] = round(100 * points / (HIGHEST * known_weight)) if known_weight else 0
    lead["known"] = round(100 * known_weight / sum(weights.values()))
    lead["unknown"] = [name for name in weights if name not in known]


def main() -> int:
    parser = argparse.ArgumentParser(description="Rank leads by weighted criteria.")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--weight", action="append", type=weight, required=True, metavar="NAME=N")
    parser.add_argument("--must", action="append", default=[], metavar="NAME")
    parser.add_argument("--format", choices=["text", "csv"], default="text")
    args = parser.parse_args()
    weights = dict(args.weight)
    try:
        leads = read(args.file, list(dict.fromkeys([*weights, *args.must])))
    except (BadTable, OSError, UnicodeError, csv.Error) as error:
        print(f"score_leads: {args.file}: {error}", file=sys.stderr)
        return 2
    ranked, excluded, to_check = [], [], []
    for lead in leads:
        score(lead, weights)
        failed = [name for name in args.must if lead["values"][name] == 0]
        open_musts = [name for name in args.must if lead["values"][name] is None]
        if failed:
            excluded.append((lead, ", ".join(f"{name} is 0" for name in failed)))
        elif open_musts:
            to_check.append((lead, ", ".join(f"{name} is not known" for name in open_musts)))
        else:
            ranked.append(lead)
    ranked.sort(key=lambda lead: (-lead["score"], -lead["known"], lead["company"]))
    if args.format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(["state", "rank", "score", "known", "company", "remark"])
        for rank, lead in enumerate(ranked, 1):
            unknown = f"unknown: {', '.join(lead['unknown'])}" if lead["unknown"] else ""
            writer.writerow(["ranked", rank, lead["score"], lead["known"], lead["company"], unknown])
        for state, group in (("to check", to_check), ("excluded", excluded)):
            for lead, reason in group:
                writer.writerow([state, "", lead["score"], lead["known"], lead["company"], reason])
        return 0
    print("rank  score  known  company")
    for rank, lead in enumerate(ranked, 1):
        unknown = f"  (unknown: {', '.join(lead['unknown'])})" if lead["unknown"] else ""
        print(f"{rank:4}  {lead['score']:5}  {lead['known']:4}%  {lead['company']}{unknown}")
    for state, group in (("to check", to_check), ("excluded", excluded)):
        for lead, reason in group:
            print(f"{state}: {lead['company']} ({reason})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
