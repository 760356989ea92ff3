import assert from 'node:assert/strict';
import type pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import Cursor from 'pg-cursor';
import { PreparingClient } from '../../src/platform/db/prepared-statement.ts';
import { isCluster } from './cluster.ts';
import { withConnection } from './connections.ts';
import { asksAllCompanies, namesCompanyTable } from './statements.ts';

/**
 * Records the statements of the service with their values, so that a Citus cluster can be asked where it would send
 * them. Statements that differ only in the number of their values count as one.
 */
interface Recorded {
  text: string;
  values: unknown[];
}

const recorded = new Map<string, Recorded>();
const checked = new Set<string>();

const shapeOf = (text: string) => text.replaceAll(/\(?\$\d+(?:::\w+)?\)?(?:, \(?\$\d+(?:::\w+)?\)?)*/g, '$');

/** The connections of the application and of its jobs, not those of a test itself. */
const applications = new Set(['app', 'stream', 'worker']);

function record(text: string, values: unknown[]): void {
  const shape = shapeOf(text);
  if (!recorded.has(shape) && namesCompanyTable(text) && !asksAllCompanies(text)) recorded.set(shape, { text, values });
}

/** Returns what the types of pg-cursor do not declare. */
function contentOf(cursor: Cursor): [string, unknown[]] {
  const { text, values } = cursor as unknown as { text: string; values: unknown[] | null };
  return [text, values ?? []];
}

let isWatching = false;

/** Begins to record. Does nothing on plain PostgreSQL. */
export function watchRoutes(): void {
  if (isWatching || !isCluster()) return;
  isWatching = true;
  const { query } = PreparingClient.prototype;
  PreparingClient.prototype.query = function (this: PreparingClient, ...args: unknown[]) {
    const { application_name: application } = (
      this as unknown as { connectionParameters: { application_name?: string } }
    ).connectionParameters;
    if (applications.has(application ?? '')) {
      const [first, values] = args;
      if (typeof first === 'string') record(first, (values as unknown[] | undefined) ?? []);
      else if (first instanceof Cursor) record(...contentOf(first));
    }
    return query.apply(this, args);
  };
}

/** Writes a value as pg would send it. */
function toLiteral(client: pg.Client, value: unknown): string {
  const sent = prepareValue(value);
  if (sent === null) return 'null';
  return client.escapeLiteral(Buffer.isBuffer(sent) ? `\\x${sent.toString('hex')}` : String(sent));
}

/** Returns what the plan of a statement says that differs from one task on the node of one company. */
const findDetours = (plan: string[]) =>
  plan.filter((line) => /^Task Count: (?!1$)/.test(line) || /repartition|Map Task Count/.test(line));

/** Returns how the cluster would execute a statement. */
async function explain(client: pg.Client, { text, values }: Recorded): Promise<string[]> {
  // Citus plans a statement with parameters only if their values are known to it, as in `execute`.
  await client.query(`prepare route as ${text}`);
  try {
    const literals = values.map((value) => toLiteral(client, value)).join(', ');
    const execute = `execute route${literals && `(${literals})`}`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${execute}`);
    return rows.map((row) => row['QUERY PLAN'].trim());
  } finally {
    await client.query('deallocate route');
  }
}

/** Throws unless the cluster sends every statement that was recorded since the last call to one shard. */
export async function assertRoutes(adminUrl: string): Promise<void> {
  const fresh = [...recorded].filter(([shape]) => !checked.has(shape));
  if (fresh.length === 0) return;
  const faults: string[] = [];
  await withConnection(adminUrl, async (client) => {
    for (const [shape, statement] of fresh) {
      checked.add(shape);
      const detours = await explain(client, statement).then(findDetours, (error) => [String(error)]);
      if (detours.length > 0) faults.push(`${detours.join(', ')}: ${statement.text}`);
    }
  });
  assert.deepEqual(faults, [], 'The cluster does not send these statements to one shard each');
}
