import fc from 'fast-check';
import { sql } from 'kysely';
import { atLeast, info, type Metric, none, noneOf } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { problems } from '../../src/platform/http/errors.ts';
import { assertDocumented } from '../../test/support/openapi.ts';
import { assertPortalDocumented } from '../../test/support/portal-document.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import { apiOperations, listPortalOperations, type Operation } from '../arbitraries/operations.ts';
import { withTestApp } from '../support/fixture.ts';
import { HttpClient, type HttpResponse, readJson, runConcurrently } from '../support/http-client.ts';
import { untilApplied } from '../support/verify.ts';
import { arbitraryRequest, type GeneratedRequest } from './mistakes.ts';
import { makeTargets } from './targets.ts';

export const findingKinds = {
  failed: 'operations that returned 5xx',
  undocumented: 'operations with a response that the OpenAPI document does not describe',
  accepted: 'operations that accepted an invalid request',
  misjudged: 'operations that refused an invalid request for another reason',
  refused: 'operations that refused a valid request',
};
export type FindingKind = keyof typeof findingKinds;

class Finding extends Error {
  readonly kind: FindingKind;

  constructor(kind: FindingKind, message: string) {
    super(`${kind}: ${message}`);
    this.kind = kind;
  }
}

interface Problem {
  status?: unknown;
  code?: string;
  requestId?: unknown;
  errors?: { parameter?: string; pointer?: string }[];
}

function isExpected(status: number, expected: GeneratedRequest['expected']): boolean {
  if (expected === 'handled') return status < 500;
  return expected === 'refused' ? status >= 400 && status < 500 : expected.includes(status);
}

function assertProblem(request: GeneratedRequest, { status, headers }: HttpResponse, problem?: Problem): void {
  if (status < 400) return;
  const parameter = request.operation.isPortal ? undefined : request.mistake?.parameter;
  const known = problems[problem?.code as keyof typeof problems];
  const isComplete =
    headers['content-type']?.startsWith('application/problem+json') &&
    known?.status === status &&
    problem?.status === status &&
    problem.requestId === headers['x-request-id'];
  if (!isComplete) throw new Error('not a problem of the catalogue');
  if (status === 405 && !headers.allow) throw new Error('405 without Allow');
  const errors = problem?.errors ?? [];
  if (problem?.code === 'invalid-body' || problem?.code === 'invalid-roster') {
    const isPlaced = errors.length > 0 && errors.every(({ pointer }) => pointer !== undefined);
    if (!isPlaced) throw new Error('the problem does not name the place in the body');
  }
  const isNamed = parameter === undefined || errors.some((error) => error.parameter === parameter);
  if (status === 400 && !isNamed) throw new Error(`the problem does not name ${parameter}`);
}

function judge(request: GeneratedRequest, response: HttpResponse): void {
  const { operation, method, expected } = request;
  const mistake = request.mistake?.name;
  const { status, headers, bytes } = response;
  const detail = `${mistake ?? 'valid request'}: expected ${expected}, got ${status} ${bytes.toString().slice(0, 500)}`;
  if (status >= 500) throw new Finding('failed', detail);
  try {
    const body = readJson<Problem>(response);
    assertProblem(request, response, body);
    const isElsewhere = mistake === 'unknown path' || mistake === 'wrong method';
    const path = isElsewhere ? '/unknown' : operation.path.replace(/^\/(v1|portal\/api)/, '');
    const assertDescribed = operation.isPortal ? assertPortalDocumented : assertDocumented;
    assertDescribed(method, path, { status, contentType: headers['content-type'] ?? null, body });
  } catch (error) {
    throw new Finding('undocumented', `${detail}\n${error instanceof Error ? error.message : error}`);
  }
  if (isExpected(status, expected)) return;
  if (mistake === undefined) throw new Finding('refused', detail);
  throw new Finding(status < 400 ? 'accepted' : 'misjudged', detail);
}

const concurrency = 16;
const settleMs = 300_000;
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

/** `TORTURE_PATH='listEmployees 12:3:1'` repeats one counterexample of a run with the same seed. */
const [replayedOperation, replayedPath] = process.env.TORTURE_PATH?.split(/ (?=[\d:]+$)/) ?? [];

async function run({ requests }: { requests: number }, { seed, log }: Context): Promise<Metric[]> {
  return withTestApp({ env, worker: true, poolSize: concurrency }, async (app) => {
    const targets = await makeTargets(app);
    const portal = listPortalOperations(app);
    const all = [...apiOperations, ...portal].filter(({ name }) => name === (replayedOperation ?? name));
    const toPortal = requests / portalShare;
    const client = new HttpClient(app.url, concurrency);
    const mistakes: string[] = [];
    const succeeded = new Set<string>();
    const findings = Object.fromEntries(Object.keys(findingKinds).map((kind) => [kind, [] as string[]]));
    let sent = 0;

    async function checkOperation(operation: Operation): Promise<void> {
      const count = operation.isPortal ? toPortal / portal.length : (requests - toPortal) / apiOperations.length;
      const property = fc.asyncProperty(arbitraryRequest(operation, targets, limits), async (request) => {
        const response = await client.sendPatiently(request);
        app.logs.length = 0;
        sent += 1;
        if (request.mistake !== undefined) mistakes.push(`${operation.name} ${request.mistake.name}`);
        else if (response.status < 400) succeeded.add(operation.name);
        judge(request, response);
      });
      const replay = replayedPath === undefined ? {} : { path: replayedPath };
      const details = await fc.check(property, { seed, numRuns: Math.ceil(count), ...replay });
      if (!details.failed) return;
      const { errorInstance: error, counterexample, counterexamplePath: path } = details;
      if (!(error instanceof Finding) || counterexample === null) throw error;
      const repeat = `repeat with --seed ${seed} and TORTURE_PATH='${operation.name} ${path}'`;
      const { method, path: sentTo, headers, body } = counterexample[0];
      const request = `${method} ${sentTo} ${JSON.stringify(headers)} ${JSON.stringify(body?.toString())}`;
      findings[error.kind]?.push(`${operation.name}: ${error.message}\n  ${repeat}\n  ${request}`);
    }

    const begun = performance.now();
    await runConcurrently(all, concurrency, checkOperation);
    const seconds = (performance.now() - begun) / 1_000;
    await untilApplied(app.db, settleMs);
    const { rows } = await sql<{ accepted: number; failed: number }>`
      select count(*) as accepted, count(*) filter (where state in ('accepted', 'processing', 'failed')) as failed
      from syncs`.execute(app.db);
    const served = apiOperations.filter(({ name }) => succeeded.has(name));
    const isReplay = replayedPath !== undefined;
    return [
      atLeast('requests', sent, isReplay ? 1 : requests),
      info('of these with one mistake', mistakes.length),
      info('kinds of mistake', new Set(mistakes).size),
      info('requests per second', sent / seconds),
      info('requests repeated after 503', client.repeated),
      info('rosters accepted', rows[0]?.accepted ?? 0),
      info('operations called', all.length),
      atLeast('API operations that succeeded', served.length, isReplay ? 0 : apiOperations.length),
      ...Object.entries(findingKinds).map(([kind, name]) => noneOf(name, findings[kind] ?? [], log)),
      none('accepted rosters that could not be applied', rows[0]?.failed ?? 0),
    ];
  });
}

export const generatedRequests: Scenario<{ requests: number }> = {
  name: 'generated-requests',
  title: 'Generated requests, half of them invalid, to every operation',
  plans: { full: { requests: 100_000 }, quick: { requests: 900 } },
  run,
};
