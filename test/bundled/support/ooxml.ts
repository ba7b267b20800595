import { PYTHON, tool } from './scripts.js';

const READ_PART = `
import sys, zipfile
sys.stdout.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode("utf-8"))
`;
const LIST_PARTS = `
import sys, xml.dom.minidom, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
for name in archive.namelist():
    if name.endswith((".xml", ".rels")):
        xml.dom.minidom.parseString(archive.read(name))
    print(name)
`;

/** Text of one part of an Office file, read with nothing but Python's own zip module. */
export function partOf(file: string, part: string): string {
  return tool(PYTHON, ['-c', READ_PART, file, part]);
}

/** Names of all parts of an Office file; throws where the archive or an XML part is broken. */
export function partsOf(file: string): string[] {
  return tool(PYTHON, ['-c', LIST_PARTS, file]).trim().split('\n');
}

/** Texts of the elements with a tag such as `w:t`, in their order. */
export function textsOf(xml: string, tag: string): string[] {
  return [...xml.matchAll(new RegExp(`<${tag}(?: [^>]*)?>([^<]*)</${tag}>`, 'g'))].map((match) => match[1]!);
}
