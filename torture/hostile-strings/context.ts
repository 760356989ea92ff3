import type { Context } from '../../harness/scenario.ts';
import { createRandom } from '../../src/operator/demo/random.ts';
import { comingFirst, moveEnvironmentTo } from '../../test/support/environment.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import type { Fixture } from '../support/fixture.ts';
import { readCookies } from '../support/http-client.ts';
import { RecordingClient } from '../support/recording-client.ts';
import { makeTestCompany } from '../support/test-company.ts';
import { isName, makeHostile } from './texts.ts';

export interface HostilePlan {
  texts: number;
  /** How many of the texts are passed as arguments of the operator's commands. Each command is a separate process. */
  commands: number;
  /** How many employees have their page opened in a browser. 0 starts no browser. */
  pages: number;
}

/**
 * Starts the service that receives hostile texts, with a company, its key, and the session of one of its users. The day
 * is the fifth of the month: before the cut-off, so that the employees of the roster get their first ticket in `month`.
 */
export async function prepare(fixture: Fixture, plan: HostilePlan, { seed, log }: Context) {
  const { db, urls, folder, startApi } = fixture;
  await moveEnvironmentTo(db, comingFirst().add({ days: 4 }));
  const month = comingFirst().add({ months: 1 });
  const texts = makeHostile(plan.texts, createRandom(seed));
  /** The texts that a roster accepts as names. */
  const names = texts.filter(({ text }) => isName(text, 200));
  const company = await makeTestCompany(db, {}, names[0]?.text.trim());
  const portal = plan.pages > 0 ? 'on' : 'off';
  const api = await startApi({ ...walletEnv, LOG_LEVEL: 'trace', WORKER: 'on', PORTAL: portal });
  const client = new RecordingClient(api.url);
  const { email, password } = company.user;
  const cookie = readCookies(await client.portal('/auth/sign-in/email', { email, password }));
  return { ...company, db, databaseUrl: urls.url, folder, api, client, cookie, texts, names, month, log };
}

export type HostileContext = Awaited<ReturnType<typeof prepare>>;
