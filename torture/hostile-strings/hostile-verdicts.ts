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
import { dataOf } from '../support/correspondence.ts';
import { type HostileText, isName } from './hostile.ts';
import type { Target } from './hostile-fields.ts';
import { findInCsv, findInHeaders, findInPass, findInPdf } from './hostile-outputs.ts';

/**
 * The fifth of the month: before the cut-off, so that the employees of the roster get their first ticket on the first
 * of the next month.
 */
export const today = comingFirst().add({ days: 4 });
export const month = comingFirst().add({ months: 1 });

export interface Stage {
  db: Db;
  databaseUrl: string;
  folder: string;
  api: Serving;
  companyId: CompanyId;
  key: Credentials;
  person: TestUser;
  target: Target;
  texts: HostileText[];
  log: Context['log'];
}

/** Counts the findings and logs the first 20. */
export function count(stage: Stage, what: string, found: string[]): Metric {
  for (const one of found.slice(0, 20)) stage.log(`${what}: ${one.slice(0, 200)}`);
  return none(what, found.length);
}

const fetchPortal = ({ api, target }: Stage, path: string) =>
  fetch(`${new URL(api.url).origin}/portal/api${path}`, { headers: { cookie: target.cookie } });

export async function judgePayroll(stage: Stage, kept: HostileText[]): Promise<Metric> {
  const file = await fetchPortal(stage, `/billing/${month}/payroll.csv`);
  const people = kept.map(({ text }) => ({ hrId: text.trim(), firstName: text.trim(), lastName: text.trim() }));
  // `text()` would remove the byte order mark.
  const csv = Buffer.from(await file.arrayBuffer()).toString('utf8');
  return count(stage, 'faults in the payroll file', [...findInCsv(csv, people), ...findInHeaders(file.headers)]);
}

/** Checks the documents that the service has written, and the names in them. */
export async function judgeLetters(stage: Stage, kept: HostileText[]): Promise<Metric[]> {
  const { db, companyId } = stage;
  const { rows } = await sql<{ id: number; name: string }>`
    select d.id, e.first_name as name from documents d join employees e on e.id = d.employee_id
    where d.company_id = ${companyId} and d.kind = 'ticket-confirmation' order by d.id`.execute(db);
  const marks = new Map(kept.map(({ text, mark }) => [text.trim(), mark]));
  const found: string[] = [];
  for (const { id, name } of rows) {
    const answer = await fetchPortal(stage, `/documents/${id}/download`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    // A longer name is cut at the end of the line.
    const mark = name.length < 40 ? marks.get(name) : undefined;
    found.push(...findInHeaders(answer.headers), ...(await findInPdf(bytes, mark)));
  }
  return [info('letters read', rows.length), count(stage, 'faults in letters', found)];
}

/**
 * Checks files with hostile names. The command adds the names that it accepts. Others are stored directly, as an
 * earlier version could have done.
 */
export async function judgeDocuments(stage: Stage, commands: number, employeeId: number): Promise<Metric[]> {
  const { db, databaseUrl, companyId, key, folder, texts, target, api } = stage;
  const found: string[] = [];
  const file = join(folder, 'added.pdf');
  await writeFile(file, '%PDF-1.7 sample %%EOF');
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder };
  const named = texts.filter(({ text }) => !text.includes('\0') && text.isWellFormed() && text.trim() !== '');
  const about = ['--company', String(companyId), '--employee', String(employeeId)];
  const byCommand = named.filter(({ text }) => text.length < 2_000).slice(0, commands);
  for (const { text } of byCommand) {
    for (const words of [
      ['document', 'add', ...about, `--file=${file}`, `--name=${text}`],
      ['employee', 'link', ...about, `--hr-id=${text}`],
      ['company', 'create', `--name=${text}`],
    ]) {
      const { code, stdout, stderr } = await run(words, env);
      const isPlain = code === 0 ? stderr === '' && JSON.parse(stdout) : /^[^\n]+\n$/.test(stderr);
      if (code === 0 && !isName(text, 2_000)) found.push(`${words[0]} ${words[1]} took ${JSON.stringify(text)}`);
      if (!isPlain) found.push(`${words[0]} ${words[1]}: ${stderr}`);
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
  found.push(...missing.map(({ mark }) => `${mark} is not there`));
  for (const { id, name } of rows) {
    const headers = { authorization: basic(key) };
    const answer = await fetch(`${api.url}/employee-documents/${id}/download`, { headers });
    found.push(...(answer.status === 200 ? findInHeaders(answer.headers) : [`${id} was answered ${answer.status}`]));
    const shown = dataOf<{ documentName: string }>(
      await target.letters.send(`/v1/employee-documents/${id}`, { headers }),
    );
    if (shown.documentName !== name) found.push(`${id} has another name`);
  }
  return [info('documents downloaded', rows.length), count(stage, 'faults in documents and their names', found)];
}

export async function judgePasses(stage: Stage): Promise<Metric> {
  const { db, companyId, api } = stage;
  const { rows } = await sql<{ pass: string; name: string }>`
    select t.company_id || '.' || t.wallet_token as pass, e.first_name as name from tickets t
    join employees e on e.id = t.employee_id where t.company_id = ${companyId} order by t.employee_id limit 60`.execute(
    db,
  );
  const found: string[] = [];
  for (const { pass, name } of rows) {
    const apple = await fetch(`${api.url}/wallet/apple/${pass}`);
    found.push(...findInPass(Buffer.from(await apple.arrayBuffer()), name));
    const google = await fetch(`${api.url}/wallet/google/${pass}`, { redirect: 'manual' });
    const claims = /\/save\/[\w-]+\.([\w-]+)\.[\w-]+$/.exec(google.headers.get('location') ?? '')?.[1];
    if (claims === undefined) found.push(`a link that is none: ${google.status}`);
    else if (
      !JSON.stringify(JSON.parse(Buffer.from(claims, 'base64url').toString())).includes(
        JSON.stringify(name).slice(1, -1),
      )
    ) {
      found.push('a link without the name');
    }
  }
  return count(stage, 'faults in passes', found);
}

/** Only the nonce of a page differs between responses. */
const withoutNonce = (page: string) => page.replaceAll(/nonce="[\w-]+"/g, 'nonce');

/** Checks that the page is the same whatever the query, and that the OpenAPI document refuses unknown parameters. */
export async function judgeReference(stage: Stage): Promise<Metric> {
  const { api, target, texts } = stage;
  const readPage = async (query = '') =>
    withoutNonce(await (await fetch(`${new URL(api.url).origin}/docs/errors${query}`)).text());
  const plain = await readPage();
  const found: string[] = [];
  for (const { text, mark } of texts.slice(0, 100)) {
    const encoded = encodeURIComponent(text.toWellFormed().slice(0, 500));
    const query = `?${encoded}=${encoded}`;
    if ((await readPage(query)) !== plain) found.push(`/docs/errors ${mark}`);
    const { status, text: answer } = await target.letters.send(`/v1/openapi.json${query}`);
    const isRefused = status === 400 && answer.includes('"code":"invalid-parameters"');
    if (!isRefused) found.push(`/v1/openapi.json ${mark}: ${status}`);
  }
  return count(stage, 'faults in the reference', found);
}
