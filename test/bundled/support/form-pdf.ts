/** A one-page PDF with a text field, a checkbox and a choice, written by hand so that no library under test made it. */
export function formPdf(): Buffer {
  const state = '<< /Type /XObject /Subtype /Form /BBox [0 0 20 20] /Length 0 >>\nstream\n\nendstream';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R 5 0 R 6 0 R] /DR << /Font << /Helv 8 0 R >> >> /DA (/Helv 0 Tf 0 g) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [4 0 R 5 0 R 6 0 R] >>',
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (applicant) /Rect [20 250 200 270] /P 3 0 R /DA (/Helv 12 Tf 0 g) >>',
    '<< /Type /Annot /Subtype /Widget /FT /Btn /T (agree) /Rect [20 200 40 220] /P 3 0 R /V /Off /AS /Off /AP << /N << /Yes 7 0 R /Off 7 0 R >> >> >>',
    '<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /T (size) /Opt [(small) (large)] /Rect [20 150 200 170] /P 3 0 R /DA (/Helv 12 Tf 0 g) >>',
    state,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
