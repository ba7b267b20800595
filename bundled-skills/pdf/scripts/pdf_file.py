"""Opens a PDF for the other scripts, with plain words for what cannot be opened."""

from _shared import cli
from pypdf import PdfReader
from pypdf.errors import DependencyError, PyPdfError


def add_password(options):
    """Add `--password-file` to a parser."""
    options.add_argument(
        "--password-file", help="file with the password of the input, or - for stdin"
    )


def open_pdf(path, password_file=None):
    """Return a PdfReader of a readable PDF, else refuse."""
    cli.input_file(path)
    try:
        reader = PdfReader(path)
        if reader.is_encrypted:
            password = cli.text_of(password_file).strip("\r\n") if password_file else ""
            # Many files are encrypted with an empty password: anyone may read them.
            if not reader.decrypt(password):
                raise cli.Refusal(
                    f"{path} is encrypted; "
                    + ("the password is wrong" if password_file else "give --password-file")
                )
        len(reader.pages)
    except DependencyError as error:
        raise cli.Refusal(f"{path} uses a cipher that needs another library: {error}") from error
    except (PyPdfError, ValueError, KeyError, RecursionError) as error:
        raise cli.Refusal(f"{path} is not a readable PDF: {error}") from error
    return reader


def save(writer, output, overwrite, **facts):
    """Write a PdfWriter to `output` and print what was made."""
    with cli.writing(output, overwrite) as draft:
        writer.write(draft)
    cli.print_json({"output": output, "pages": len(writer.pages), **facts})
