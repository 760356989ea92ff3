import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { info, type Metric, none } from '../../harness/metrics.ts';
import type { Context } from '../../harness/scenario.ts';
import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import { openDocumentStore } from '../../src/documents/store.ts';
import { basic, type Credentials } from '../../test/support/app.ts';
import { comingFirst } from '../../test/support/environment.ts';
import { makeDocument } from '../../test/support/factories.ts';
import type { TestUser } from '../../test/support/portal.ts';
import { run, type Serving } from '../../test/support/process.ts';
import { readData } from '../support/recording-client.ts';
import type { Target } from './fields.ts';
import { findInCsv, findInHeaders, findInPass, findInPdf } from './outputs.ts';
import { type HostileText, isName } from './texts.ts';

/**
 * The fifth of the month: before the cut-off, so that the employees of the roster get their first ticket on the first
 * of the next month.
 */
export const today = comingFirst().add({ days: 4 });
export const month = comingFirst().add({ months: 1 });

export interface HostileContext {
  db: Db;
  databaseUrl: string;
  folder: string;
  api: Serving;
  companyId: CompanyId;
  key: Credentials;
  authorization: string;
  user: TestUser;
  target: Target;
  texts: HostileText[];
  log: Context['log'];
}

/** Counts the findings and logs the first 20. */
export function count(context: HostileContext, what: string, found: string[]): Metric {
  for (const one of found.slice(0, 20)) context.log(`${what}: ${one.slice(0, 200)}`);
  return none(what, found.length);
}

const download = ({ target }: HostileContext, path: string, headers: Record<string, string> = {}) =>
  target.client.send({ path, headers: { cookie: target.cookie, ...headers } });

export async function checkPayroll(context: HostileContext, accepted: HostileText[]): Promise<Metric> {
  const { headers, bytes } = await download(context, `/portal/api/billing/${month}/payroll.csv`);
  const employees = accepted.map(({ text }) => ({ hrId: text.trim(), firstName: text.trim(), lastName: text.trim() }));
  return count(context, 'faults in the payroll file', [
    ...findInCsv(bytes.toString(), employees),
    ...findInHeaders(headers),
  ]);
}

/** Checks the documents that the service has written, and the names in them. */
export async function checkConfirmations(context: HostileContext, accepted: HostileText[]): Promise<Metric[]> {
  const { db, companyId } = context;
  const { rows } = await sql<{ id: number; name: string }>`
    select d.id, e.first_name as name from documents d join employees e on e.id = d.employee_id
    where d.company_id = ${companyId} and d.kind = 'ticket-confirmation' order by d.id`.execute(db);
  const marks = new Map(accepted.map(({ text, mark }) => [text.trim(), mark]));
  const found: string[] = [];
  for (const { id, name } of rows) {
    const { headers, bytes } = await download(context, `/portal/api/documents/${id}/download`);
    // A longer name is cut at the end of the line.
    const mark = name.length < 40 ? marks.get(name) : undefined;
    found.push(...findInHeaders(headers), ...(await findInPdf(bytes, mark)));
  }
  return [info('confirmations read', rows.length), count(context, 'faults in confirmations', found)];
}

/**
 * Checks files with hostile names. The command adds the names that it accepts. Others are stored directly, as an
 * earlier version could have done.
 */
export async function checkDocuments(context: HostileContext, commands: number, employeeId: number): Promise<Metric[]> {
  const { db, databaseUrl, companyId, key, folder, texts, target } = context;
  const found: string[] = [];
  const file = join(folder, 'added.pdf');
  await writeFile(file, '%PDF-1.7 sample %%EOF');
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder };
  const named = texts.filter(({ text }) => !text.includes('\0') && text.isWellFormed() && text.trim() !== '');
  const about = ['--company', String(companyId), '--employee', String(employeeId)];
  const byCommand = named.filter(({ text }) => text.length < 2_000).slice(0, commands);
  for (const { text } of byCommand) {
    for (const args of [
      ['document', 'add', ...about, `--file=${file}`, `--name=${text}`],
      ['employee', 'link', ...about, `--hr-id=${text}`],
      ['company', 'create', `--name=${text}`],
    ]) {
      const { code, stdout, stderr } = await run(args, env);
      const isPlain = code === 0 ? stderr === '' && JSON.parse(stdout) : /^[^\n]+\n$/.test(stderr);
      if (code === 0 && !isName(text, 2_000)) found.push(`${args[0]} ${args[1]} accepted ${JSON.stringify(text)}`);
      if (!isPlain) found.push(`${args[0]} ${args[1]}: ${stderr}`);
    }
  }
  const store = await openDocumentStore(join(folder, 'documents'));
  for (const { text } of named.filter((one) => !byCommand.includes(one))) {
    const stored = await store.put(companyId, 'pdf', Buffer.from('%PDF-1.7 sample %%EOF'));
    await makeDocument(db, companyId, { employeeId, name: text.trim(), file: stored });
  }
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from documents where company_id = ${companyId} and kind is null`.execute(db);
  const names = new Set(rows.map(({ name }) => name));
  const refused = byCommand.filter(({ text }) => !isName(text, 2_000));
  const missing = named.filter((one) => !refused.includes(one) && !names.has(one.text.trim()));
  found.push(...missing.map(({ mark }) => `${mark} is missing`));
  for (const { id, name } of rows) {
    const headers = { authorization: basic(key) };
    const file = await download(context, `/v1/employee-documents/${id}/download`, headers);
    found.push(...(file.status === 200 ? findInHeaders(file.headers) : [`${id} returned ${file.status}`]));
    const shown = readData<{ documentName: string }>(
      await target.client.record(`/v1/employee-documents/${id}`, { headers }),
    );
    if (shown.documentName !== name) found.push(`${id} has another name`);
  }
  return [info('documents downloaded', rows.length), count(context, 'faults in documents and their names', found)];
}

export async function checkPasses(context: HostileContext): Promise<Metric> {
  const { db, companyId } = context;
  const { rows } = await sql<{ pass: string; name: string }>`
    select t.company_id || '.' || t.wallet_token as pass, e.first_name as name from tickets t
    join employees e on e.id = t.employee_id where t.company_id = ${companyId} order by t.employee_id limit 60`.execute(
    db,
  );
  const found: string[] = [];
  for (const { pass, name } of rows) {
    const apple = await download(context, `/v1/wallet/apple/${pass}`);
    found.push(...findInPass(apple.bytes, name));
    const google = await download(context, `/v1/wallet/google/${pass}`);
    const claims = /\/save\/[\w-]+\.([\w-]+)\.[\w-]+$/.exec(google.headers.location ?? '')?.[1];
    if (claims === undefined) found.push(`an invalid link: ${google.status}`);
    else if (
      !JSON.stringify(JSON.parse(Buffer.from(claims, 'base64url').toString())).includes(
        JSON.stringify(name).slice(1, -1),
      )
    ) {
      found.push('a link without the name');
    }
  }
  return count(context, 'faults in passes', found);
}

/** Only the nonce of a page differs between responses. */
const withoutNonce = (page: string) => page.replaceAll(/nonce="[\w-]+"/g, 'nonce');

/** Checks that the page is the same whatever the query, and that the OpenAPI document refuses unknown parameters. */
export async function checkReference(context: HostileContext): Promise<Metric> {
  const { target, texts } = context;
  const readPage = async (query = '') =>
    withoutNonce((await download(context, `/docs/errors${query}`)).bytes.toString());
  const plain = await readPage();
  const found: string[] = [];
  for (const { text, mark } of texts.slice(0, 100)) {
    const encoded = encodeURIComponent(text.toWellFormed().slice(0, 500));
    const query = `?${encoded}=${encoded}`;
    if ((await readPage(query)) !== plain) found.push(`/docs/errors ${mark}`);
    const { status, body } = await target.client.record(`/v1/openapi.json${query}`);
    const isRefused = status === 400 && body.includes('"code":"invalid-parameters"');
    if (!isRefused) found.push(`/v1/openapi.json ${mark}: ${status}`);
  }
  return count(context, 'faults in the reference', found);
}
