import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'csv-parse/sync';
import { extractText, getDocumentProxy } from 'unpdf';
import { unzipStored } from '../../test/support/pkpass.ts';
import type { RecordedResponse } from '../support/recording-client.ts';

const faultsOf = (faults: Record<string, boolean>) => Object.keys(faults).filter((name) => faults[name]);

/** Returns the faults of a payroll file in which the HR id of every employee is one of the texts. */
export function findInCsv(csv: string, texts: string[]): string[] {
  const options = { bom: true, delimiter: ';', relax_column_count: true };
  const [, ...rows] = parse(csv, options) as string[][];
  const plain = (cell: string) => cell.replaceAll("'", '');
  const wanted = new Set(texts.map(plain));
  // A program with other separators and no support for quotes sees other cells.
  const pieces = csv.replace(/^\uFEFF/, '').split(/[,\t\r\n]/);
  return [
    ...faultsOf({ [`${rows.length} rows for ${texts.length} employees`]: rows.length !== texts.length }),
    ...rows.flatMap((cells) => {
      const [, hrId = '', wageType = '', , amount = ''] = cells;
      return faultsOf({
        'columns have moved': cells.length !== 5 || wageType !== '700' || !/^-?\d+,\d\d$/.test(amount),
        [`a live formula: ${JSON.stringify(hrId)}`]: /^[=+\-@\t\r]/.test(hrId),
        [`a changed text: ${JSON.stringify(hrId)}`]: !wanted.has(plain(hrId)),
      });
    }),
    ...pieces.filter((piece) => /^[=+\-@]/.test(piece)).map((piece) => `a live formula: ${piece}`),
  ];
}

/** Returns parse errors of the whole file, and content that we never put there. */
export async function findInPdf(bytes: Buffer, mark: string | undefined): Promise<string[]> {
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), { stopAtErrors: true });
    const { text } = await extractText(document, { mergePages: true });
    const annotations = await (await document.getPage(1)).getAnnotations();
    const found = faultsOf({
      'another number of pages': document.numPages !== 1,
      'a script': (await document.getJSActions()) !== null,
      'a form': (await document.getFieldObjects()) !== null,
      'a link': annotations.some(({ url }: { url?: string }) => url?.includes('evil.example')),
      'an embedded file': (await document.getAttachments()) !== null,
      [`${mark} is not printed`]: mark !== undefined && !text.replace(/\s/g, '').includes(mark),
    });
    await document.loadingTask.destroy();
    return found;
  } catch (error) {
    return [`a parse error: ${String(error).slice(0, 100)}`];
  }
}

/** `attachment`, an ASCII name, in quotes or a plain token, and the name in UTF-8 where ASCII is not enough. */
const disposition =
  /^attachment; filename=(?:"(?:[^"\\\p{Control}]|\\["\\])+"|[\w!#$%&'*+.^`|~-]+)(?:; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/u;

export function findInHeaders(headers: IncomingHttpHeaders): string[] {
  const given = headers['content-disposition'] ?? '';
  const name = decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(given)?.[1] ?? '');
  return faultsOf({
    'an injected header': headers['x-injected'] !== undefined,
    [`a malformed header: ${JSON.stringify(given)}`]: !disposition.test(given),
    [`a misleading file name: ${name}`]: /[\p{Control}/\\]|^\.|\.(exe|htaccess)$/u.test(name),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks that every response is declared and valid JSON, and that no browser may interpret it as a page. */
export const findInResponses = (responses: RecordedResponse[]): string[] =>
  responses.flatMap(({ description, status, headers, body }) => {
    const type = headers['content-type'] ?? '';
    const found = faultsOf({
      'an injected header': headers['x-injected'] !== undefined,
      'may be interpreted as another type': headers['x-content-type-options'] !== 'nosniff',
      [`is ${type}`]: body !== '' && !/^application\/(problem\+)?json(;|$)/.test(type),
      failed: status >= 500,
      'is not JSON': body !== '' && parseJson(body) === undefined,
    });
    return found.map((fault) => `${description}: ${fault}`);
  });

/** Returns the lines that are not exactly one JSON object, or that contain terminal control characters. */
export const findInLog = (log: string): string[] =>
  log
    .split('\n')
    .slice(0, -1)
    .filter((line) => {
      const value = parseJson(line);
      const isEntry = typeof value === 'object' && value !== null && 'level' in value;
      return !isEntry || /[\p{Control}\u2028\u2029]/u.test(line);
    });

/** Returns whether a text in the JSON contains this text unchanged. */
function contains(json: string, text: string): boolean {
  let isFound = false;
  JSON.parse(json, (_key, value) => {
    isFound ||= typeof value === 'string' && value.includes(text);
    return value;
  });
  return isFound;
}

/** Checks that the passes of both wallets are valid and contain the name unchanged. */
export function findInPasses(archive: Buffer, link: string, name: string): string[] {
  const pass = unzipStored(archive).get('pass.json')?.toString() ?? 'null';
  const claims = /\/save\/[\w-]+\.([\w-]+)\.[\w-]+$/.exec(link)?.[1];
  return faultsOf({
    'a pass without the name': !contains(pass, name),
    [`an invalid link: ${link}`]: claims === undefined,
    'a link without the name': claims !== undefined && !contains(Buffer.from(claims, 'base64url').toString(), name),
  });
}
