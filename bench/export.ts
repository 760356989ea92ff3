import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { atLeast, atMost, info, type Metric } from '../harness/metrics.ts';
import { median, watchMemory } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { findInstalled, notInstalled } from '../test/support/installed-programs.ts';
import { companies, period, populationPlans, type Setting, withSetting } from './database.ts';

const programs = ['psql'];

type Plan = typeof populationPlans.full;

const money = (column: string) =>
  `json_build_object('label', translate(to_char(${column} / 100.0, 'FM999990.00'), '.', ',') || U&'\\00A0€', 'value', ${column})`;
const link = (origin: string, path: string) =>
  `json_build_object('href', '${origin}${path}' || x, 'type', 'application/json')`;

/** Returns a statement that writes the same JSON as the export, as far as one SQL statement can express it. */
const copyStatement = (api: string) => `copy (
  select json_build_object('id', b.id, 'billing', json_build_object('period', b.period, 'total', ${money('b.net_cents')},
      'tax', ${money('b.tax_cents')}, 'overall', ${money('b.gross_cents')}),
    'charge', json_build_object('type', b.charge_type, 'employee', json_build_object('profile', json_build_object('id',
      b.employee_id, 'firstName', b.first_name, 'lastName', b.last_name, 'email', b.email, 'hrId', b.hr_id), 'exists', true),
      'plan', json_build_object('type', b.plan_type, 'companyAmount', ${money('b.company_share_cents')}, 'employeeAmount',
      ${money('b.employee_share_cents')})),
    'billedAt', to_char(b.billed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'corrects', null, 'reason', b.reason, 'resource', 'billing-item', '_links', json_build_object(
      'self', ${link(api, '/billing/items/').replace('|| x', '|| b.id')},
      'employee', ${link(api, '/employees/').replace('|| x', '|| b.employee_id')}))
  from billing_items b where b.company_id = ${companies.large} and b.period = '${period}' and b.charge_type = 'ticket-charge'
  order by b.id) to stdout`;

type Chunks = AsyncIterable<Uint8Array>;

interface Transfer {
  bytes: number;
  ms: number;
  firstByteMs: number;
}

/** Starts the clock now, before the request is sent. */
const timed = (begun = performance.now()) =>
  async function receive(chunks: Chunks): Promise<Transfer> {
    let [bytes, firstByteMs] = [0, 0];
    for await (const chunk of chunks) {
      if (bytes === 0) firstByteMs = performance.now() - begun;
      bytes += chunk.length;
    }
    return { bytes, ms: performance.now() - begun, firstByteMs };
  };

type Read<T> = (chunks: Chunks) => Promise<T>;

async function copyOut<T>(psql: string, url: string, statement: string, read: Read<T>): Promise<T> {
  const child = spawn(psql, ['-q', '-X', '-c', statement, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PGOPTIONS: '-c timezone=UTC' },
  });
  const closed = once(child, 'close');
  const exported = await read(child.stdout);
  const [code] = await closed;
  if (code !== 0) throw new Error(`psql ended with ${code}.`);
  return exported;
}

async function exportItems<T>(url: string, headers: Record<string, string>, read: Read<T>): Promise<T> {
  const response = await fetch(url, { headers });
  assert.equal(response.status, 200);
  assert(response.body);
  return read(response.body);
}

function assertSame(exported: string, copied: string): void {
  const { data: items } = JSON.parse(exported) as { data: unknown[] };
  const lines = copied.trimEnd().split('\n');
  assert.equal(lines.length, items.length);
  for (const [index, line] of lines.entries()) assert.deepEqual(JSON.parse(line), items[index]);
}

async function measure({ url, service, headersOf }: Setting, { rounds }: Plan): Promise<Metric[]> {
  const bin = await findInstalled(programs);
  if (bin === undefined) throw new Error(notInstalled(programs));
  const psql = join(bin, 'psql');
  const headers = await headersOf(companies.large);
  const target = `${service.url}/billing/items/${period}/ticket-charge`;
  const statement = copyStatement(service.url);
  assertSame(await exportItems(target, headers, text), await copyOut(psql, url, statement, text));
  // Warms up, because memory that an idle process takes back at first is not caused by exports.
  await exportItems(target, headers, timed());
  const memory = await watchMemory(service.pid);
  const [exported, copied]: [Transfer[], Transfer[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    exported.push(await exportItems(target, headers, timed()));
    copied.push(await copyOut(psql, url, statement, timed()));
  }
  const growth = await memory.stop();
  const speedsOf = (transfers: Transfer[]) => transfers.map(({ bytes, ms }) => bytes / ms / 1_000);
  const [ours, theirs] = [speedsOf(exported), speedsOf(copied)];
  const ratios = ours.map((speed, round) => speed / (theirs[round] ?? 0));
  const firstBytes = exported.map(({ firstByteMs }) => firstByteMs);
  return [
    info('psql COPY, MB a second', median(theirs)),
    info('export, MB a second', median(ours)),
    atLeast('export / COPY, bytes a second', median(ratios), 0.4),
    atMost('first byte, ms', median(firstBytes), 50),
    atMost('memory growth, MB', growth, 64),
  ];
}

export const exportScenario: Scenario<Plan> = {
  name: 'export',
  title: 'All charges of a month of the largest company in one response, against psql COPY of the same JSON',
  plans: populationPlans,
  run: (plan) => withSetting(plan.population, (setting) => measure(setting, plan)),
};
