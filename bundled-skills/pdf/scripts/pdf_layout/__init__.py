"""Lays out Markdown blocks on PDF pages; used by create_pdf.py and edit_pdf.py."""
