import { writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import { info, type Metric, noneOf } from '../../harness/metrics.ts';
import { openDocumentStore } from '../../src/features/documents/files.ts';
import { makeDocument } from '../../test/support/factories.ts';
import { unzipStored } from '../../test/support/pkpass.ts';
import { run } from '../../test/support/process.ts';
import { type RecordedResponse, readData } from '../support/http-client.ts';
import { isName } from './fields.ts';
import type { HostileContext } from './index.ts';

const faultsOf = (faults: Record<string, boolean>) => Object.keys(faults).filter((name) => faults[name]);

function findInCsv(csv: string, texts: string[]): string[] {
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

async function findInPdf(bytes: Buffer, mark: string | undefined): Promise<string[]> {
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

function findInHeaders(headers: IncomingHttpHeaders): string[] {
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

export const findInLog = (log: string): string[] =>
  log
    .split('\n')
    .slice(0, -1)
    .filter((line) => {
      const value = parseJson(line);
      const isEntry = typeof value === 'object' && value !== null && 'level' in value;
      return !isEntry || /[\p{Control}\u2028\u2029]/u.test(line);
    });

function contains(json: string, text: string): boolean {
  let isFound = false;
  JSON.parse(json, (_key, value) => {
    isFound ||= typeof value === 'string' && value.includes(text);
    return value;
  });
  return isFound;
}

function findInPasses(archive: Buffer, link: string, name: string): string[] {
  const pass = unzipStored(archive).get('pass.json')?.toString() ?? 'null';
  const claims = /\/save\/[\w-]+\.([\w-]+)\.[\w-]+$/.exec(link)?.[1];
  return faultsOf({
    'a pass without the name': !contains(pass, name),
    [`an invalid link: ${link}`]: claims === undefined,
    'a link without the name': claims !== undefined && !contains(Buffer.from(claims, 'base64url').toString(), name),
  });
}

const download = ({ client, cookie, authorization }: HostileContext, path: string) =>
  client.send({ path, headers: path.startsWith('/v1/employee') ? { authorization } : { cookie } });

export async function checkPayroll(context: HostileContext): Promise<Metric> {
  await context.client.portal('/settings', { wageTypeTaxFree: 700, wageTypeDeduction: 9100 }, context.cookie);
  const exported = await context.client.portal(`/payroll/${context.month}`, {}, context.cookie);
  const { id } = readData<{ id: number }>(exported);
  const { headers, bytes } = await download(context, `/portal/api/payroll/exports/${id}/download`);
  const hrIds = context.names.map(({ text }) => text.trim());
  const found = [...findInCsv(bytes.toString(), hrIds), ...findInHeaders(headers)];
  return noneOf('faults in the payroll file', found, context.log);
}

export async function checkConfirmations(context: HostileContext): Promise<Metric[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select d.id, e.first_name as name from documents d join employees e on e.id = d.employee_id
    where d.company_id = ${context.companyId} and d.kind = 'ticket-confirmation' order by d.id`.execute(context.db);
  const marks = new Map(context.names.map(({ text, mark }) => [text.trim(), mark]));
  const found: string[] = [];
  for (const { id, name } of rows) {
    const { headers, bytes } = await download(context, `/portal/api/documents/${id}/download`);
    // A longer name is cut at the end of the line.
    const mark = name.length < 40 ? marks.get(name) : undefined;
    found.push(...findInHeaders(headers), ...(await findInPdf(bytes, mark)));
  }
  return [info('confirmations read', rows.length), noneOf('faults in confirmations', found, context.log)];
}

async function tryCommands(context: HostileContext, text: string, employeeId: number): Promise<string[]> {
  const { databaseUrl, folder, companyId } = context;
  const file = join(folder, 'added.pdf');
  await writeFile(file, '%PDF-1.7 sample %%EOF');
  const employee = ['--company', String(companyId), '--employee', String(employeeId)];
  const found: string[] = [];
  for (const args of [
    ['document', 'add', ...employee, `--file=${file}`, `--name=${text}`],
    ['employee', 'link', ...employee, `--hr-id=${text}`],
    ['company', 'create', `--name=${text}`],
  ]) {
    const { code, stdout, stderr } = await run(args, { DATABASE_URL: databaseUrl, DATA_DIR: folder });
    const isPlain = code === 0 ? stderr === '' && JSON.parse(stdout) : /^[^\n]+\n$/.test(stderr);
    if (code === 0 && !isName(text, 2_000)) found.push(`${args[0]} ${args[1]} accepted ${JSON.stringify(text)}`);
    if (!isPlain) found.push(`${args[0]} ${args[1]}: ${stderr}`);
  }
  return found;
}

export async function checkDocuments(context: HostileContext, commands: number, employeeId: number): Promise<Metric[]> {
  const { db, companyId, authorization, folder, client } = context;
  const texts = context.texts
    .map(({ text }) => text)
    .filter((text) => !text.includes('\0') && text.isWellFormed() && text.trim() !== '');
  const byCommand = texts.filter((text) => text.length < 2_000).slice(0, commands);
  const found: string[] = [];
  for (const text of byCommand) found.push(...(await tryCommands(context, text, employeeId)));
  const store = await openDocumentStore(join(folder, 'documents'));
  for (const text of texts.filter((one) => !byCommand.includes(one))) {
    const file = await store.put(companyId, 'pdf', Buffer.from('%PDF-1.7 sample %%EOF'));
    await makeDocument(db, companyId, { employeeId, name: text.trim(), file });
  }
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from documents where company_id = ${companyId} and kind is null`.execute(db);
  const stored = new Set(rows.map(({ name }) => name));
  const isRefused = (text: string) => byCommand.includes(text) && !isName(text, 2_000);
  const missing = texts.filter((text) => !isRefused(text) && !stored.has(text.trim()));
  found.push(...missing.map((text) => `missing: ${JSON.stringify(text)}`));
  for (const { id, name } of rows) {
    const path = `/v1/employee-documents/${id}`;
    const file = await download(context, `${path}/download`);
    found.push(...(file.status === 200 ? findInHeaders(file.headers) : [`${id} returned ${file.status}`]));
    const shown = readData<{ documentName: string }>(await client.record(path, { headers: { authorization } }));
    if (shown.documentName !== name) found.push(`${id} has another name`);
  }
  return [info('documents downloaded', rows.length), noneOf('faults in documents and their names', found, context.log)];
}

export async function checkPasses(context: HostileContext): Promise<Metric> {
  const { rows } = await sql<{ pass: string; name: string }>`
    select t.company_id || '.' || t.wallet_token as pass, e.first_name as name
    from tickets t join employees e on e.id = t.employee_id
    where t.company_id = ${context.companyId} order by t.employee_id limit 60`.execute(context.db);
  const found: string[] = [];
  for (const { pass, name } of rows) {
    const apple = await download(context, `/v1/wallet/apple/${pass}`);
    const google = await download(context, `/v1/wallet/google/${pass}`);
    found.push(...findInPasses(apple.bytes, google.headers.location ?? '', name));
  }
  return noneOf('faults in passes', found, context.log);
}

export async function checkReference(context: HostileContext): Promise<Metric> {
  const readPage = async (query = '') => {
    const { bytes } = await download(context, `/docs/errors${query}`);
    return bytes.toString().replaceAll(/nonce="[\w-]+"/g, 'nonce');
  };
  const plain = await readPage();
  const found: string[] = [];
  for (const { text, mark } of context.texts.slice(0, 100)) {
    const encoded = encodeURIComponent(text.toWellFormed().slice(0, 500));
    const query = `?${encoded}=${encoded}`;
    if ((await readPage(query)) !== plain) found.push(`/docs/errors ${mark}`);
    const { status, body } = await context.client.record(`/v1/openapi.json${query}`);
    const isRefused = status === 400 && body.includes('"code":"invalid-parameters"');
    if (!isRefused) found.push(`/v1/openapi.json ${mark}: ${status}`);
  }
  return noneOf('faults in the reference', found, context.log);
}
