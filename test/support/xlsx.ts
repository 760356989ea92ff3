import { crc32, deflateRawSync } from 'node:zlib';

/** A cell of an Excel file. Dates become numbers with the format of a date, as Excel stores them. */
export type SheetCell = string | number | boolean | Date | null;

const daysBefore1970 = 25_569;
const millisPerDay = 86_400_000;

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function nameColumn(index: number): string {
  const rest = String.fromCharCode(65 + (index % 26));
  return index < 26 ? rest : nameColumn(Math.floor(index / 26) - 1) + rest;
}

function writeCell(cell: SheetCell, address: string): string {
  if (cell === null) return '';
  if (cell instanceof Date)
    return `<c r="${address}" s="1"><v>${cell.valueOf() / millisPerDay + daysBefore1970}</v></c>`;
  if (typeof cell === 'number') return `<c r="${address}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${address}" t="b"><v>${Number(cell)}</v></c>`;
  return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
}

function writeSheet(rows: SheetCell[][]): string {
  const lines = rows.map((cells, index) => {
    const written = cells.map((cell, column) => writeCell(cell, `${nameColumn(column)}${index + 1}`)).join('');
    return written === '' ? '' : `<row r="${index + 1}">${written}</row>`;
  });
  return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${lines.join('')}</sheetData></worksheet>`;
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006/relationships';
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Packs files into an archive. `claim` changes the sizes that the archive states about its entries. */
export function packArchive(files: Record<string, string | Buffer>, claim = (bytes: number) => bytes): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const [packed, path] = [deflateRawSync(bytes), Buffer.from(name)];
    const described = Buffer.alloc(26);
    described.writeUInt16LE(20, 0);
    described.writeUInt16LE(8, 4);
    described.writeUInt32LE(crc32(bytes), 10);
    described.writeUInt32LE(packed.length, 14);
    described.writeUInt32LE(claim(bytes.length), 18);
    described.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), described, path, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), described, rest, path);
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** Returns the files of a workbook with these sheets by name. */
export function writeWorkbookFiles(sheets: Record<string, SheetCell[][]>): Record<string, string> {
  const names = Object.keys(sheets);
  const listed = names.map(
    (name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const relations = names.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return {
    '[Content_Types].xml': `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${xml}<Relationships xmlns="${packaged}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${packaged}">${relations.join('')}<Relationship Id="rId99" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${xml}<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml + writeSheet(rows)]),
    ),
  };
}

/** Returns an Excel file. Excel writes it in the same form. */
export const writeWorkbook = (sheets: Record<string, SheetCell[][]>): Buffer => packArchive(writeWorkbookFiles(sheets));
