import { sql } from 'kysely';
import { atLeast, info, type Metric } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom } from '../../src/demo/random.ts';
import { noBrowser } from '../../test/support/browser.ts';
import { moveEnvironmentTo } from '../../test/support/environment.ts';
import { until } from '../../test/support/until.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { readCookies } from '../support/http-client.ts';
import { RecordingClient, readData } from '../support/recording-client.ts';
import { makeTestCompany } from '../support/test-company.ts';
import {
  checkConfirmations,
  checkDocuments,
  checkPasses,
  checkPayroll,
  checkReference,
  count,
  type HostileContext,
  month,
  today,
} from './checks.ts';
import { entryOf, type FieldReport, portalFields, requestFields, rosterFields, tryFields } from './fields.ts';
import { findInLog, findInResponses } from './outputs.ts';
import { findInPages } from './pages.ts';
import { type HostileText, isName, makeHostile } from './texts.ts';

interface HostilePlan {
  texts: number;
  /** How many of the texts are passed as arguments of the operator's commands. Each command is a separate process. */
  commands: number;
  /** How many employees have their page opened in a browser. 0 starts no browser. */
  pages: number;
}

/** Whether a roster accepts the text. Other texts are refused earlier. */
const isAccepted = ({ text }: HostileText) => isName(text, 200);

/**
 * Pushes a roster in which every employee has a hostile name and id. Waits until the first tickets are billed and
 * confirmed.
 */
async function applyRoster({ db, companyId, authorization, target, texts }: HostileContext): Promise<HostileText[]> {
  const accepted = texts.filter(isAccepted);
  const syncId = accepted[0]?.text.trim() ?? '';
  const body = { syncId, employees: accepted.map((one) => entryOf(one)) };
  const path = `/v1/hr-integrations/${target.integrationId}/sync`;
  const pushed = await target.client.record(path, { method: 'POST', headers: { authorization }, body });
  if (pushed.status !== 204) throw new Error(`The roster returned ${pushed.status}: ${pushed.body}`);
  await until('the roster is applied', async () => {
    const { rows } = await sql<{ state: string }>`select state from syncs where sync_id = ${syncId}`.execute(db);
    return rows[0]?.state === 'succeeded';
  });
  const travelled = await target.client.portal('/time-travel', { to: month.toString(), confirm: 1 }, target.cookie);
  if (travelled.status !== 200) throw new Error(travelled.text);
  await until('the confirmations are written', async () => {
    const { rows } = await sql<{ written: number }>`
      select count(*) as written from documents where company_id = ${companyId} and kind = 'ticket-confirmation'
        and sha256 is not null`.execute(db);
    return rows[0]?.written === accepted.length;
  });
  return accepted;
}

interface Listed {
  id: number;
  firstName: string;
  lastName: string;
  hrIntergartionLinks: { hrId: string }[];
}

async function listEmployees({ target: { client }, authorization }: HostileContext): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let page = 1; ; page++) {
    const response = await client.record(`/v1/employees?perPage=100&page=${page}`, { headers: { authorization } });
    const { data, totalPages } = readData<{ data: Listed[]; totalPages: number }>(response);
    all.push(...data);
    if (page >= totalPages) return all;
  }
}

async function checkNames(
  context: HostileContext,
  accepted: HostileText[],
): Promise<{ metric: Metric; employees: Listed[] }> {
  const employees = await listEmployees(context);
  const read = new Map(employees.map((one) => [one.firstName, one]));
  const changed = accepted.filter(({ text }) => {
    const one = read.get(text.trim());
    return one?.lastName !== text.trim() || one.hrIntergartionLinks[0]?.hrId !== text.trim();
  });
  const found = changed.map(({ family, mark }) => `${family} ${mark}`);
  return { metric: count(context, 'names and ids that were stored changed', found), employees };
}

async function checkPages(context: HostileContext, { pages }: HostilePlan, employees: Listed[]): Promise<Metric[]> {
  if (pages === 0) return [];
  if (noBrowser) throw new Error(noBrowser);
  const { api, user, target, texts } = context;
  const { integrationId } = target;
  const paths = [
    '/keys',
    '/integrations',
    `/integrations/${integrationId}`,
    `/integrations/${integrationId}/syncs/${encodeURIComponent(texts.filter(isAccepted)[0]?.text.trim() ?? '')}`,
    '/employees',
    '/billing',
    `/billing/${month}`,
    '/activity',
    '/users',
    '/account',
    ...employees.slice(0, pages).map(({ id }) => `/employees/${id}`),
    ...texts
      .slice(0, pages)
      .map(({ text }) => `/employees?search=${encodeURIComponent(text.toWellFormed().slice(0, 500))}`),
    ...texts.slice(0, 10).map(({ text }) => `/nowhere/${encodeURIComponent(text.toWellFormed().slice(0, 500))}`),
  ];
  const found = await findInPages(new URL(api.url).origin, user, paths);
  return [info('pages opened', paths.length), count(context, 'faults in pages', found)];
}

const sum = (reports: FieldReport[], what: 'accepted' | 'refused') =>
  reports.reduce((total, report) => total + report[what], 0);

async function attack(context: HostileContext, plan: HostilePlan): Promise<Metric[]> {
  const { target, texts, api } = context;
  const reports: FieldReport[] = [];
  for (const fields of [portalFields(target), rosterFields(target), requestFields(target)]) {
    reports.push(await tryFields(fields, texts));
  }
  const accepted = await applyRoster(context);
  const { metric: names, employees } = await checkNames(context, accepted);
  return [
    info('hostile texts', texts.length),
    atLeast('texts accepted', sum(reports, 'accepted'), texts.length),
    info('texts refused with a reason', sum(reports, 'refused')),
    count(
      context,
      'texts that were neither accepted nor refused',
      reports.flatMap(({ failed }) => failed),
    ),
    count(
      context,
      'texts that were stored changed',
      reports.flatMap(({ changed }) => changed),
    ),
    count(
      context,
      'texts accepted that are not names, and names refused',
      reports.flatMap(({ misjudged }) => misjudged),
    ),
    atLeast('employees with hostile names', accepted.length, Math.floor(texts.length / 2)),
    names,
    await checkPayroll(context, accepted),
    ...(await checkConfirmations(context, accepted)),
    ...(await checkDocuments(context, plan.commands, employees[0]?.id ?? 0)),
    await checkPasses(context),
    await checkReference(context),
    ...(await checkPages(context, plan, employees)),
    info('responses in JSON', target.client.responses.length),
    count(context, 'faults in responses', findInResponses(target.client.responses)),
    info('log lines', api.output.stderr.split('\n').length - 1),
    count(context, 'broken log lines', findInLog(api.output.stderr)),
  ];
}

async function prepare(
  { db, urls, folder, startApi }: Fixture,
  plan: HostilePlan,
  { seed, log }: Context,
): Promise<HostileContext> {
  await moveEnvironmentTo(db, today);
  const texts = makeHostile(plan.texts, createRandom(seed));
  const company = await makeTestCompany(db, {}, texts.find(isAccepted)?.text.trim());
  const { key, user, integrationId } = company;
  const portal = { PORTAL: plan.pages > 0 ? 'on' : 'off' };
  const api = await startApi({ ...walletEnv, LOG_LEVEL: 'trace', WORKER: 'on', ...portal });
  const client = new RecordingClient(api.url);
  const cookie = readCookies(
    await client.portal('/auth/sign-in/email', { email: user.email, password: user.password }),
  );
  const target = { client, key, cookie, integrationId };
  return { db, databaseUrl: urls.url, folder, api, ...company, target, texts, log };
}

export const hostileStrings: Scenario<HostilePlan> = {
  name: 'hostile-strings',
  title: 'Hostile texts in every field',
  plans: { full: { texts: 500, commands: 10, pages: 60 }, quick: { texts: 15, commands: 0, pages: 0 } },
  run: (plan, context) => withFixture(async (fixture) => attack(await prepare(fixture, plan, context), plan)),
};
