import { sql } from 'kysely';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/db/database.ts';
import { problems } from '../../platform/http/errors.ts';
import { toApiError } from '../../platform/http/problem.ts';
import { inTransaction } from '../command-context.ts';
import { insertCompany } from '../companies/companies.ts';
import type { CaseExchange, ScimCase } from '../connectors/cases/contract.ts';
import { insertHrIntegration } from '../integrations/change-integration.ts';
import { checkRoster, type ForeignEntry } from '../roster/read-roster.ts';
import { runBulk } from './bulk.ts';
import { type Exchange, kinds, list, operate, searchOfBody, searchOfQuery } from './resources.ts';
import type { Json } from './rules/names.ts';
import { toEntry } from './rules/user.ts';
import { ScimError } from './scim-error.ts';
import { listActiveUsers } from './store.ts';
import type { ScimContext } from './users.ts';

export interface ReplayedScim {
  kind: 'scim';
  isComplete: boolean;
  requests: number;
  /** Requests that this version answers with another status. */
  differences: { number: number; method: string; path: string; recorded: number; replayed: number; detail: string }[];
  isSame: boolean;
  /** What the next sync would get, or why there would be none. */
  roster: { entries: number } | { problem: string };
}

const maxEntries = 250_000;
const base = '/scim/v2';

interface Answer {
  status: number;
  body?: Json | undefined;
}

/** Answers a request as the API does. */
async function answer(
  context: ScimContext,
  { method, path, requestBody: body }: CaseExchange,
): Promise<Answer | undefined> {
  const { pathname, searchParams: query } = new URL(path, 'http://localhost');
  const [, name, id] = /^\/scim\/v2\/(Users|Groups|Bulk|\.search)?(?:\/([^/]+))?$/.exec(pathname) ?? [];
  const exchange: Exchange = { context, base, query, body, ifMatch: undefined };
  if (name === 'Bulk') return { status: 200, body: await runBulk(exchange, () => {}) };
  const some = name === '.search' ? kinds : kinds.filter((kind) => kind.path === name);
  const [resources] = some;
  if (resources === undefined) return undefined;
  if (name === '.search' || id === '.search') {
    return { status: 200, body: await list(some, exchange, searchOfBody(body as Json)) };
  }
  if (id === undefined && method === 'GET') {
    return { status: 200, body: await list(some, exchange, searchOfQuery(query)) };
  }
  return operate(method, resources, id, exchange);
}

async function tryAnswer(context: ScimContext, exchange: CaseExchange): Promise<Answer | undefined> {
  try {
    return await answer(context, exchange);
  } catch (error) {
    if (error instanceof ScimError) return { status: error.status, body: { detail: error.message } };
    const { code, message } = toApiError(error as Parameters<typeof toApiError>[0]);
    return { status: problems[code].status, body: { detail: message } };
  }
}

const replaceIdInPath = (path: string, ids: ReadonlyMap<string, string>) =>
  path
    .split('/')
    .map((segment) => ids.get(segment) ?? segment)
    .join('/');

/** Replaces ids of the case by those of the users and groups that stand for them: members, and paths of a bulk request. */
const replaceIds = <T>(value: T, ids: ReadonlyMap<string, string>): T =>
  JSON.parse(JSON.stringify(value), (name, one) => {
    if (typeof one !== 'string') return one;
    if (name === 'path' && one.startsWith('/')) return replaceIdInPath(one, ids);
    return name === 'value' || name === 'id' ? (ids.get(one) ?? one) : one;
  });

async function createScratch(tx: Tx, { timeZone, today, hrIdAttribute }: ScimCase): Promise<ScimContext> {
  const now = Temporal.PlainDate.from(today).toZonedDateTime({ timeZone, plainTime: '12:00' }).toInstant();
  const planType = 'fully-subsidized-plan';
  const companyId = await insertCompany(tx, { name: 'Case', planType, contributionCents: 0 }, now);
  await sql`update companies o set time_zone = ${timeZone} where o.id = ${companyId}`.execute(tx);
  const settings = { name: 'Case', type: 'api-integration' } as const;
  const hrIntegrationId = await insertHrIntegration(tx, companyId, settings);
  const caller = { companyId, hrIntegrationId, hrIdAttribute, timeZone, isActive: true, caseId: null };
  return { db: tx, clock: { now: () => now }, queue: { enqueueScimChanges: async () => {} }, caller };
}

async function checkUsers(context: ScimContext, today: string): Promise<ReplayedScim['roster']> {
  const { db, caller } = context;
  async function* entries(): AsyncGenerator<ForeignEntry> {
    const users = await listActiveUsers(db, caller, { after: 0, limit: maxEntries });
    for (const user of users) yield { entry: toEntry(user, caller.hrIdAttribute) };
  }
  try {
    const options = { maxEntries, today: Temporal.PlainDate.from(today), allowsNobody: true };
    return { entries: (await checkRoster(entries(), options)).entryCount };
  } catch (error) {
    return { problem: toApiError(error as Parameters<typeof toApiError>[0]).message };
  }
}

/** Answers the requests of a case in a company of its own. The caller rolls the transaction back. */
export async function replayExchanges(tx: Tx, file: ScimCase): Promise<ReplayedScim> {
  const context = await createScratch(tx, file);
  const ids = new Map<string, string>();
  const differences: ReplayedScim['differences'] = [];
  for (const [index, recorded] of file.exchanges.entries()) {
    const { before, status = 0, body } = recorded;
    const known = (before as Json | undefined)?.id;
    if (typeof known === 'string' && !ids.has(known)) {
      const collection = recorded.path.includes('/Groups/') ? 'Groups' : 'Users';
      const created = { method: 'POST', path: `${base}/${collection}`, requestBody: before };
      const id = (await tryAnswer(context, created))?.body?.id;
      if (id !== undefined) ids.set(known, String(id));
    }
    const path = replaceIdInPath(recorded.path, ids);
    const requestBody = recorded.requestBody === undefined ? undefined : replaceIds(recorded.requestBody, ids);
    const replayed = await tryAnswer(context, { ...recorded, path, requestBody });
    if (replayed === undefined) continue;
    const given = (body as Json | undefined)?.id;
    if (recorded.method === 'POST' && typeof given === 'string' && replayed.body?.id !== undefined) {
      ids.set(given, String(replayed.body.id));
    }
    if (replayed.status === status) continue;
    const detail = String(replayed.body?.detail ?? '');
    const { method } = recorded;
    differences.push({ number: index + 1, method, path, recorded: status, replayed: replayed.status, detail });
  }
  return {
    kind: 'scim',
    isComplete: file.isComplete,
    requests: file.exchanges.length,
    differences,
    isSame: differences.length === 0,
    roster: await checkUsers(context, file.today),
  };
}

class Finished extends Error {
  readonly result: ReplayedScim;
  constructor(result: ReplayedScim) {
    super('The replay has ended.');
    this.result = result;
  }
}

/** Replays a case in a transaction that is rolled back. */
export async function replayScim(config: Config, file: ScimCase): Promise<ReplayedScim> {
  try {
    return await inTransaction<ReplayedScim>(config, async (tx) => {
      throw new Finished(await replayExchanges(tx, file));
    });
  } catch (error) {
    if (error instanceof Finished) return error.result;
    throw error;
  }
}
