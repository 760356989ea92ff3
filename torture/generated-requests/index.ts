import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import type { TestApp } from '../../test/support/app.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import { apiOperations, listPortalOperations, type Operation } from '../arbitraries/operations.ts';
import { HttpClient, runConcurrently } from '../support/http-client.ts';
import { withTestApp } from '../support/test-app.ts';
import { Finding, type FindingKind, findingKinds, judge } from './judge.ts';
import { arbitraryRequest, type GeneratedRequest } from './mistakes.ts';
import { makeTargets } from './targets.ts';

interface RequestPlan {
  requests: number;
}

const concurrency = 16;
/** Rosters are small here, so that requests can also exceed the limits of a roster. */
const limits = { entries: 30, bytes: 256 * 1024 };
/** One of this many requests goes to the portal's own API. */
const portalShare = 10;

const env = {
  ...walletEnv,
  MAX_SYNC_ENTRIES: String(limits.entries),
  MAX_SYNC_BYTES: String(limits.bytes),
  // This process generates requests and also serves them, so the scenario must not count overload as a finding.
  OVERLOAD_DELAY_MS: '60000',
};

/** Waits until all rosters have their outcome. Counts those that were accepted and those that could not be applied. */
async function countFailedSyncs({ db }: TestApp): Promise<{ accepted: number; failed: number }> {
  for (;;) {
    const { rows } = await sql<{ accepted: number; pending: number; failed: number }>`
      select count(*) as accepted, count(*) filter (where state in ('accepted', 'processing')) as pending,
        count(*) filter (where state = 'failed') as failed from syncs`.execute(db);
    const [row] = rows;
    if (row !== undefined && row.pending === 0) return row;
    await sleep(50);
  }
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the request as a command that sends the same bytes. */
function formatCurl(origin: string, { method, path, headers, body }: GeneratedRequest): string {
  const isText = typeof body === 'string' && !body.includes('\u0000');
  const escaped = Buffer.from(body ?? '')
    .toString('hex')
    .replaceAll(/../g, '\\x$&');
  const data = isText ? quote(body) : `@<(printf '%b' ${quote(escaped)})`;
  return [
    `curl -i --path-as-is --globoff -X ${method}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${data}`]),
    quote(`${origin}${path}`),
  ].join(' ');
}

/** The requests that were sent, and what they showed. */
class Coverage {
  requests = 0;
  invalid = 0;
  readonly mistakes = new Set<string>();
  readonly succeeded = new Set<string>();
  readonly findings: FindingKind[] = [];

  note({ operation, mistake }: GeneratedRequest, status: number): void {
    this.requests += 1;
    if (mistake !== undefined) {
      this.invalid += 1;
      this.mistakes.add(`${operation.name} ${mistake.name}`);
    } else if (status < 400) this.succeeded.add(operation.name);
  }
}

/** `TORTURE_PATH='listEmployees 12:3:1'` repeats one counterexample of a run with the same seed. */
const [replayedOperation, replayedPath] = process.env.TORTURE_PATH?.split(/ (?=[\d:]+$)/) ?? [];

/** Sends requests to one operation. Logs the smallest request that the service does not handle as it should. */
async function checkOperation(
  { app, client, coverage, log, seed }: { app: TestApp; client: HttpClient; coverage: Coverage } & Context,
  operation: Operation,
  requests: fc.Arbitrary<GeneratedRequest>,
  numRuns: number,
): Promise<void> {
  const property = fc.asyncProperty(requests, async (request) => {
    const response = await client.sendPatiently(request);
    app.logs.length = 0;
    coverage.note(request, response.status);
    judge(request, response);
  });
  const replay = replayedPath === undefined ? {} : { path: replayedPath };
  const details = await fc.check(property, { seed, numRuns, ...replay });
  if (!details.failed) return;
  const { errorInstance: error, counterexample, counterexamplePath: path } = details;
  if (!(error instanceof Finding) || counterexample === null) throw error;
  coverage.findings.push(error.kind);
  log(`${operation.name}: ${error.message}`);
  log(`  seed ${seed}, path ${path} (repeat with --seed ${seed} and TORTURE_PATH='${operation.name} ${path}')`);
  log(`  ${formatCurl(client.origin, counterexample[0])}`);
}

async function run({ requests }: RequestPlan, { seed, log }: Context): Promise<Metric[]> {
  return withTestApp({ env, worker: true, poolSize: concurrency }, async (app) => {
    const targets = await makeTargets(app);
    const portal = listPortalOperations(app);
    const all = [...apiOperations, ...portal].filter(({ name }) => name === (replayedOperation ?? name));
    const toPortal = requests / portalShare;
    const client = new HttpClient(app.url, concurrency);
    const coverage = new Coverage();
    const begun = performance.now();
    await runConcurrently(all, concurrency, async (operation) => {
      const count = operation.isPortal ? toPortal / portal.length : (requests - toPortal) / apiOperations.length;
      const generated = arbitraryRequest(operation, targets, limits);
      await checkOperation({ app, client, coverage, log, seed }, operation, generated, Math.ceil(count));
    });
    const seconds = (performance.now() - begun) / 1_000;
    const syncs = await countFailedSyncs(app);
    const served = apiOperations.filter(({ name }) => coverage.succeeded.has(name));
    return [
      atLeast('requests', coverage.requests, replayedPath === undefined ? requests : 1),
      info('of these with one mistake', coverage.invalid),
      info('kinds of mistake', coverage.mistakes.size),
      info('requests per second', coverage.requests / seconds),
      info('requests repeated after 503', client.repeated),
      info('rosters accepted', syncs.accepted),
      info('operations called', all.length),
      atLeast('API operations that succeeded', served.length, replayedPath === undefined ? apiOperations.length : 0),
      ...Object.entries(findingKinds).map(([kind, metric]) =>
        none(metric, coverage.findings.filter((found) => found === kind).length),
      ),
      none('accepted rosters that could not be applied', syncs.failed),
    ];
  });
}

/** Sends random requests to every operation and to the portal. About half have one named mistake. */
export const generatedRequests: Scenario<RequestPlan> = {
  name: 'generated-requests',
  title: 'Generated requests, half of them invalid, to every operation',
  plans: { full: { requests: 100_000 }, quick: { requests: 900 } },
  run,
};
