import { sql } from 'kysely';
import { atLeast, info, type Metric } from '../../harness/metrics.ts';
import { startApi } from '../../harness/processes.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { connectDatabase, type Db } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createRandom } from '../../src/demo/random.ts';
import { basic } from '../../test/support/app.ts';
import { noBrowser } from '../../test/support/browser.ts';
import { moveEnvironmentTo } from '../../test/support/environment.ts';
import { makeCompany, makeIntegration, makeKey } from '../../test/support/factories.ts';
import { makeUser } from '../../test/support/portal.ts';
import { withFolder } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import { Correspondence, cookieOf, dataOf, json } from '../support/correspondence.ts';
import { startOwnPostgres } from '../support/postgres.ts';
import { type HostileText, isName, makeHostile } from './hostile.ts';
import {
  askingFields,
  entryOf,
  type FieldReport,
  portalFields,
  rosterFields,
  type Target,
  tryFields,
} from './hostile-fields.ts';
import { findInAnswers, findInLog } from './hostile-outputs.ts';
import { findInPages } from './hostile-pages.ts';
import {
  count,
  judgeDocuments,
  judgeLetters,
  judgePasses,
  judgePayroll,
  judgeReference,
  month,
  type Stage,
  today,
} from './hostile-verdicts.ts';

interface HostilePlan {
  texts: number;
  /** How many of the texts are passed as arguments of the operator's commands. Each command is a separate process. */
  commands: number;
  /** How many employees have their page opened in a browser. 0 starts no browser. */
  pages: number;
}

/** Whether a roster accepts the text. Other texts are refused earlier. */
const isKept = ({ text }: HostileText) => isName(text, 200);

/**
 * Pushes a roster in which every employee has a hostile name and id. Waits until the first tickets are billed and
 * confirmed.
 */
async function liveThroughRoster({ db, api, companyId, key, target, texts }: Stage): Promise<HostileText[]> {
  const kept = texts.filter(isKept);
  const syncId = kept[0]?.text.trim() ?? '';
  const body = JSON.stringify({ syncId, employees: kept.map((one) => entryOf(one)) });
  const url = `${new URL(api.url).origin}/v1/hr-integrations/${target.integrationId}/sync`;
  const pushed = await fetch(url, { method: 'POST', headers: { authorization: basic(key), ...json }, body });
  if (pushed.status !== 204) throw new Error(`The roster was answered ${pushed.status}: ${await pushed.text()}`);
  await until('the roster is applied', async () => {
    const { rows } = await sql<{ state: string }>`select state from syncs where sync_id = ${syncId}`.execute(db);
    return rows[0]?.state === 'succeeded';
  });
  const travelled = await target.letters.ask('/time-travel', { to: month.toString(), confirm: 1 }, target.cookie);
  if (travelled.status !== 200) throw new Error(travelled.text);
  await until('the letters are written', async () => {
    const { rows } = await sql<{ written: number }>`
      select count(*) as written from documents where company_id = ${companyId} and kind = 'ticket-confirmation'
        and sha256 is not null`.execute(db);
    return rows[0]?.written === kept.length;
  });
  return kept;
}

interface Listed {
  id: number;
  firstName: string;
  lastName: string;
  hrIntergartionLinks: { hrId: string }[];
}

async function listEmployees({ target: { letters }, key }: Stage): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let page = 1; ; page++) {
    const headers = { authorization: basic(key) };
    const letter = await letters.send(`/v1/employees?perPage=100&page=${page}`, { headers });
    const { data, totalPages } = dataOf<{ data: Listed[]; totalPages: number }>(letter);
    all.push(...data);
    if (page >= totalPages) return all;
  }
}

async function judgeNames(stage: Stage, kept: HostileText[]): Promise<{ figure: Metric; employees: Listed[] }> {
  const employees = await listEmployees(stage);
  const read = new Map(employees.map((one) => [one.firstName, one]));
  const changed = kept.filter(({ text }) => {
    const one = read.get(text.trim());
    return one?.lastName !== text.trim() || one.hrIntergartionLinks[0]?.hrId !== text.trim();
  });
  const found = changed.map(({ family, mark }) => `${family} ${mark}`);
  return { figure: count(stage, 'names and ids that came back changed', found), employees };
}

async function judgePages(stage: Stage, { pages }: HostilePlan, employees: Listed[]): Promise<Metric[]> {
  if (pages === 0) return [];
  if (noBrowser) throw new Error(noBrowser);
  const { api, person, target, texts } = stage;
  const { integrationId } = target;
  const paths = [
    '/keys',
    '/integrations',
    `/integrations/${integrationId}`,
    `/integrations/${integrationId}/syncs/${encodeURIComponent(texts.filter(isKept)[0]?.text.trim() ?? '')}`,
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
  const found = await findInPages(new URL(api.url).origin, person, paths);
  return [info('pages opened', paths.length), count(stage, 'faults in pages', found)];
}

const sum = (reports: FieldReport[], what: 'accepted' | 'refused') =>
  reports.reduce((total, report) => total + report[what], 0);

async function attack(stage: Stage, plan: HostilePlan): Promise<Metric[]> {
  const { target, texts, api } = stage;
  const reports: FieldReport[] = [];
  for (const fields of [portalFields(target), rosterFields(target), askingFields(target)]) {
    reports.push(await tryFields(fields, texts));
  }
  const kept = await liveThroughRoster(stage);
  const { figure: names, employees } = await judgeNames(stage, kept);
  return [
    info('hostile texts', texts.length),
    atLeast('texts taken', sum(reports, 'accepted'), texts.length),
    info('texts refused with a reason', sum(reports, 'refused')),
    count(
      stage,
      'texts that were neither taken nor refused',
      reports.flatMap(({ failed }) => failed),
    ),
    count(
      stage,
      'texts that came back changed',
      reports.flatMap(({ changed }) => changed),
    ),
    count(
      stage,
      'texts taken that are no names, and names refused',
      reports.flatMap(({ misjudged }) => misjudged),
    ),
    atLeast('people with hostile names', kept.length, Math.floor(texts.length / 2)),
    names,
    await judgePayroll(stage, kept),
    ...(await judgeLetters(stage, kept)),
    ...(await judgeDocuments(stage, plan.commands, employees[0]?.id ?? 0)),
    await judgePasses(stage),
    await judgeReference(stage),
    ...(await judgePages(stage, plan, employees)),
    info('answers in JSON', target.letters.letters.length),
    count(stage, 'faults in answers', findInAnswers(target.letters.letters)),
    info('lines of the log', api.output.stderr.split('\n').length - 1),
    count(stage, 'broken lines of the log', findInLog(api.output.stderr)),
  ];
}

async function makeStage(
  { db, databaseUrl, folder }: { db: Db; databaseUrl: string; folder: string },
  plan: HostilePlan,
  scene: Context,
) {
  await migrate(db);
  await db.insertInto('environment').values({ name: 'staging' }).execute();
  await moveEnvironmentTo(db, today);
  const texts = makeHostile(plan.texts, createRandom(scene.seed));
  const companyId = await makeCompany(db, texts.find(isKept)?.text.trim());
  const integrationId = await makeIntegration(db, companyId);
  const key = await makeKey(db, companyId);
  const person = await makeUser({ db }, companyId);
  const api = await startApi(databaseUrl, folder, {
    ...walletEnv,
    LOG_LEVEL: 'trace',
    WORKER: 'on',
    PORTAL: plan.pages > 0 ? 'on' : 'off',
  });
  const letters = new Correspondence(new URL(api.url).origin);
  const { email, password } = person;
  const cookie = cookieOf(await letters.ask('/auth/sign-in/email', { email, password }));
  const target: Target = { letters, key, cookie, integrationId };
  return { db, databaseUrl, folder, api, companyId, key, person, target, texts, log: scene.log };
}

const hostility = (plan: HostilePlan, scene: Context): Promise<Metric[]> =>
  withFolder(async (folder) => {
    const postgres = await startOwnPostgres(folder);
    const { db, close } = connectDatabase({ url: postgres.url, max: 2, applicationName: 'hostile' });
    try {
      const stage = await makeStage({ db, databaseUrl: postgres.url, folder }, plan, scene);
      try {
        return await attack(stage, plan);
      } finally {
        stage.api.signal('SIGTERM');
        await stage.api.exited;
      }
    } finally {
      await close();
      await postgres.stop();
    }
  });

export const hostileStrings: Scenario<HostilePlan> = {
  name: 'hostile-strings',
  title: 'Hostile texts in every field',
  plans: { full: { texts: 500, commands: 10, pages: 60 }, quick: { texts: 15, commands: 0, pages: 0 } },
  run: hostility,
};
