import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'csv-parse/sync';
import { extractText, getDocumentProxy } from 'unpdf';
import { unzipStored } from '../../test/support/pkpass.ts';
import type { RecordedResponse } from '../support/recording-client.ts';

const beginsFormula = /^[=+\-@\t\r]/;

/** Returns the faults of a payroll file of these employees, as any spreadsheet would read it. */
export function findInCsv(csv: string, employees: { hrId: string; firstName: string; lastName: string }[]): string[] {
  const found: string[] = [];
  const [, ...rows] = parse(csv, { bom: true, relax_column_count: true }) as string[][];
  if (rows.length !== employees.length) found.push(`${rows.length} rows for ${employees.length} employees`);
  const plain = (text: string) => text.replaceAll("'", '');
  const wanted = new Set(
    employees.map(({ hrId, firstName, lastName }) => plain([hrId, firstName, lastName].join('|'))),
  );
  for (const cells of rows) {
    const [texts, amounts] = [cells.slice(0, 3), cells.slice(3, 8)];
    if (amounts.length !== 5 || !amounts.every((cell) => /^-?\d+\.\d\d$/.test(cell))) found.push('columns have moved');
    if (texts.some((cell) => beginsFormula.test(cell))) found.push(`a live formula: ${JSON.stringify(texts)}`);
    if (!wanted.has(plain(texts.join('|')))) found.push(`a changed text: ${JSON.stringify(texts)}`);
  }
  // A program with other separators and no support for quotes sees other cells.
  const pieces = csv
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .flatMap((line) => line.split(/[;\t]/));
  found.push(
    ...pieces.filter((piece) => /^[=+\-@]/.test(piece)).map((piece) => `a live formula: ${piece.slice(0, 40)}`),
  );
  return found;
}

/** Returns parse errors of the whole file, and content that we never put there. */
export async function findInPdf(bytes: Buffer, mark: string | undefined): Promise<string[]> {
  const found: string[] = [];
  const expect = (holds: boolean, what: string) => {
    if (!holds) found.push(what);
  };
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), { stopAtErrors: true });
    const { text } = await extractText(document, { mergePages: true });
    const annotations = await (await document.getPage(1)).getAnnotations();
    expect(document.numPages === 1, 'another number of pages');
    expect((await document.getJSActions()) === null, 'a script');
    expect((await document.getFieldObjects()) === null, 'a form');
    expect(!annotations.some(({ url }: { url?: string }) => url?.includes('evil.example')), 'a link');
    expect((await document.getAttachments()) === null, 'an embedded file');
    expect(mark === undefined || text.replace(/\s/g, '').includes(mark), `${mark} is not printed`);
    await document.loadingTask.destroy();
  } catch (error) {
    found.push(`a parse error: ${String(error).slice(0, 100)}`);
  }
  return found;
}

/** `attachment`, an ASCII name in quotes, and the name in UTF-8 where ASCII is not enough. */
const disposition =
  /^attachment; filename="(?:[^"\\\p{Control}]|\\["\\])+"(?:; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/u;
const plainDisposition = /^attachment; filename=[\w!#$%&'*+.^`|~-]+(?:; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/;

export function findInHeaders(headers: IncomingHttpHeaders): string[] {
  const found: string[] = [];
  if (headers['x-injected'] !== undefined) found.push('an injected header');
  const given = headers['content-disposition'] ?? '';
  if (!disposition.test(given) && !plainDisposition.test(given))
    found.push(`a malformed header: ${JSON.stringify(given)}`);
  const name = decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(given)?.[1] ?? '');
  if (/[\p{Control}/\\]|^\.|\.(exe|htaccess)$/u.test(name)) found.push(`a misleading file name: ${name}`);
  return found;
}

/** Checks that every response is declared and valid JSON, and that no browser may interpret it as a page. */
export function findInResponses(responses: RecordedResponse[]): string[] {
  return responses.flatMap(({ description: what, status, headers, body }) => {
    const found: string[] = [];
    const type = headers['content-type'] ?? '';
    if (headers['x-injected'] !== undefined) found.push(`${what}: an injected header`);
    if (headers['x-content-type-options'] !== 'nosniff') found.push(`${what}: may be interpreted as another type`);
    if (body !== '' && !/^application\/(problem\+)?json(;|$)/.test(type)) found.push(`${what}: is ${type}`);
    if (status >= 500) found.push(what);
    try {
      if (body !== '') JSON.parse(body);
    } catch {
      found.push(`${what}: is not JSON`);
    }
    return found;
  });
}

/** Returns the lines that are not exactly one JSON object, or that contain terminal control characters. */
export function findInLog(log: string): string[] {
  const lines = log.split('\n').slice(0, -1);
  return lines.filter((line) => {
    try {
      const value = JSON.parse(line);
      return (
        typeof value !== 'object' || value === null || !('level' in value) || /[\p{Control}\u2028\u2029]/u.test(line)
      );
    } catch {
      return true;
    }
  });
}

/** Checks that the pass is valid and contains the text unchanged. */
export function findInPass(archive: Buffer, text: string): string[] {
  const file = unzipStored(archive).get('pass.json');
  const pass = JSON.parse(file?.toString() ?? 'null');
  const all: string[] = [];
  JSON.stringify(pass, (_key, value) => {
    if (typeof value === 'string') all.push(value);
    return value;
  });
  return all.some((value) => value.includes(text)) ? [] : ['a pass without the name'];
}
