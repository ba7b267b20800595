"""Modules that the scripts of several skills use.

They are not a skill. In a delivered skill this folder lies beside the scripts.
Importing it makes a missing library one plain sentence instead of a traceback.
"""

import sys

_INSTALL_AS = {
    "docx": "python-docx",
    "lxml": "lxml",
    "openpyxl": "openpyxl",
    "pptx": "python-pptx",
    "pypdf": "pypdf",
}


def _explain_missing_library(kind, error, trace):
    name = (getattr(error, "name", None) or "").split(".")[0]
    if issubclass(kind, ModuleNotFoundError) and name in _INSTALL_AS:
        package = _INSTALL_AS[name]
        print(
            f"error: the Python library {package} is not installed; "
            f"install it with `pip install {package}`",
            file=sys.stderr,
        )
        return
    sys.__excepthook__(kind, error, trace)


sys.excepthook = _explain_missing_library
