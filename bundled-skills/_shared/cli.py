"""How every script talks to its caller: options, refusals, JSON and safe output.

Exit codes: 0 done, 1 refused (the text on stderr says why), 2 wrong usage.
"""

import argparse
import contextlib
import json
import os
import sys
from pathlib import Path


class Refusal(Exception):
    """The request is understood but is not carried out; the text says why."""


def run(main):
    """Call `main` and end the process with its exit code.

    A `Refusal` and a file that the system does not give become one line on
    stderr and exit code 1.
    """
    try:
        main()
        sys.stdout.flush()
    except Refusal as refusal:
        _fail(str(refusal))
    except BrokenPipeError:
        # The reader (`head`) has enough. Nothing may be flushed to it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    sys.exit(0)


def _fail(text):
    print(f"error: {text}", file=sys.stderr)
    sys.exit(1)


def parser(description, example):
    """Return an argument parser whose help ends with an example."""
    return argparse.ArgumentParser(
        description=description,
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_output(options, help_text):
    """Add `-o/--output` and `--overwrite` to a parser."""
    options.add_argument("-o", "--output", type=Path, required=True, help=help_text)
    options.add_argument(
        "--overwrite",
        action="store_true",
        help="replace the output if it exists, even if it is an input",
    )


def input_file(path):
    """Return `path` if it is a readable file, else refuse."""
    path = Path(path)
    if not path.is_file():
        raise Refusal(f"no such file: {path}")
    return path


@contextlib.contextmanager
def writing(output, overwrite):
    """Give a temporary path beside `output` that replaces it at the end.

    A failure half-way leaves `output` as it was. Without `overwrite` an
    existing file is refused, so an input is never changed by accident.
    """
    output = Path(output)
    if output.exists() and not overwrite:
        raise Refusal(f"{output} exists; name another file or add --overwrite")
    if not output.parent.is_dir():
        raise Refusal(f"no such folder: {output.parent}")
    # The suffix stays last: some libraries choose the format by it.
    draft = output.with_name(f".{output.stem}.tmp.{os.getpid()}{output.suffix}")
    try:
        yield draft
        os.replace(draft, output)
    finally:
        draft.unlink(missing_ok=True)


def text_of(path):
    """Return the text of a UTF-8 file, or of stdin when `path` is `-`."""
    data = sys.stdin.buffer.read() if str(path) == "-" else input_file(path).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal(f"{path} is not UTF-8 text ({error.reason} at byte {error.start})") from error


def json_of(path):
    """Return the value of a JSON file, or of stdin when `path` is `-`."""
    try:
        return json.loads(text_of(path))
    except json.JSONDecodeError as error:
        raise Refusal(f"{path} is not JSON: {error}") from error


def print_json(value):
    """Write `value` to stdout as indented JSON, every script of the world readable."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2, default=str)
    print()
