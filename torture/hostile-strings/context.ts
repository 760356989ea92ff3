import { type Metric, none } from '../../harness/metrics.ts';
import type { Context } from '../../harness/scenario.ts';
import type { Db } from '../../src/db/database.ts';
import { createRandom } from '../../src/demo/random.ts';
import { comingFirst, moveEnvironmentTo } from '../../test/support/environment.ts';
import type { Serving } from '../../test/support/process.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import type { Fixture } from '../support/fixture.ts';
import { readCookies } from '../support/http-client.ts';
import { RecordingClient } from '../support/recording-client.ts';
import { makeTestCompany, type TestCompany } from '../support/test-company.ts';
import { type HostileText, isName, makeHostile } from './texts.ts';

export interface HostilePlan {
  texts: number;
  /** How many of the texts are passed as arguments of the operator's commands. Each command is a separate process. */
  commands: number;
  /** How many employees have their page opened in a browser. 0 starts no browser. */
  pages: number;
}

/**
 * The service that receives hostile texts: a company, its key, and the session of one of its users. The day is the
 * fifth of the month: before the cut-off, so that the employees of the roster get their first ticket in `month`.
 */
export interface HostileContext extends TestCompany {
  db: Db;
  databaseUrl: string;
  folder: string;
  api: Serving;
  client: RecordingClient;
  cookie: string;
  texts: HostileText[];
  /** The texts that a roster accepts as names. */
  names: HostileText[];
  month: Temporal.PlainDate;
  log: Context['log'];
}

export async function prepare(
  { db, urls, folder, startApi }: Fixture,
  plan: HostilePlan,
  { seed, log }: Context,
): Promise<HostileContext> {
  await moveEnvironmentTo(db, comingFirst().add({ days: 4 }));
  const month = comingFirst().add({ months: 1 });
  const texts = makeHostile(plan.texts, createRandom(seed));
  const names = texts.filter(({ text }) => isName(text, 200));
  const company = await makeTestCompany(db, {}, names[0]?.text.trim());
  const portal = plan.pages > 0 ? 'on' : 'off';
  const api = await startApi({ ...walletEnv, LOG_LEVEL: 'trace', WORKER: 'on', PORTAL: portal });
  const client = new RecordingClient(api.url);
  const { email, password } = company.user;
  const cookie = readCookies(await client.portal('/auth/sign-in/email', { email, password }));
  return { ...company, db, databaseUrl: urls.url, folder, api, client, cookie, texts, names, month, log };
}

/** Counts the findings and logs the first 20. */
export function count({ log }: HostileContext, what: string, found: string[]): Metric {
  for (const one of found.slice(0, 20)) log(`${what}: ${one.slice(0, 200)}`);
  return none(what, found.length);
}
