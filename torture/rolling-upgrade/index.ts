import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { info, type Metric, none, noneOf, sum } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { firstOfNextMonth } from '../../src/domain/calendar.ts';
import { createRandom } from '../../src/operator/demo/random.ts';
import { asCompanyId } from '../../src/platform/db/company-scope.ts';
import type { EmbeddedUrls } from '../../src/platform/db/embedded/roles.ts';
import { basic } from '../../test/support/app.ts';
import { ownMain, startProgram, withFolder } from '../../test/support/process.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { type CheckedRequest, CheckingClient } from '../support/http-client.ts';
import { hireForNextMonth, RosterPusher, RosterStream } from '../support/roster-pusher.ts';
import { keepBusy, type Traffic, untilSettled } from '../support/traffic.ts';
import { expectAfter, listSyncIds, verifyPushes } from '../support/verify.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');

export interface Release {
  version: string;
  commit: string;
}

const runGit = async (folder: string, ...words: string[]) =>
  (await execute('git', ['-C', folder, ...words])).stdout.trim();

type Git = (...words: string[]) => Promise<string>;

async function findTag(git: Git): Promise<Release | undefined> {
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^').catch(() => undefined);
  return tag === undefined ? undefined : { version: tag.slice(1), commit: await git('rev-list', '-n', '1', tag) };
}

export async function findPreviousRelease(folder = root): Promise<Release | string> {
  const git: Git = (...words) => runGit(folder, ...words);
  if ((await git('rev-parse', '--git-dir').catch(() => undefined)) === undefined) {
    return 'there is no git history, from which the previous release is taken';
  }
  const found = await findTag(git);
  if (found !== undefined) return found;
  return (await git('rev-parse', '--is-shallow-repository')) === 'true'
    ? 'the git history is shallow and has no release before this commit (git fetch --unshallow --tags)'
    : 'the git history has no release before this commit';
}

interface Lockfile {
  packages: Record<string, { version?: string; dev?: boolean; devOptional?: boolean; optional?: boolean }>;
}

const readLockfile = async (folder: string): Promise<Lockfile> =>
  JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));

async function isServedByOwnPackages(folder: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all([readLockfile(folder), readLockfile(root)]);
  return Object.entries(theirs.packages)
    .filter(([path, one]) => path.startsWith('node_modules/') && !one.dev && !one.devOptional && !one.optional)
    .every(([path, { version }]) => ours.packages[path]?.version === version);
}

async function installPackages(folder: string): Promise<void> {
  if (await isServedByOwnPackages(folder)) {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  await execute('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

const withRelease = <T>({ commit }: Release, work: (main: string) => Promise<T>): Promise<T> =>
  withFolder(async (folder) => {
    await runGit(root, 'archive', '--format=tar', `--output=${join(folder, 'release.tar')}`, commit);
    await execute('tar', ['-xf', 'release.tar'], { cwd: folder });
    await installPackages(folder);
    return work(join(folder, 'src/main.ts'));
  });

/** Sends no request to a process that was taken out of rotation, as a load balancer does. */
class BalancedClient extends CheckingClient {
  readonly #origins: readonly string[];

  constructor(origins: readonly string[], isPatient: boolean) {
    super(origins[0] ?? '', isPatient);
    this.#origins = origins;
  }

  #route = <R extends CheckedRequest>(request: R): R => {
    const { origin = this.origin } = request;
    return { ...request, origin: this.#origins.includes(origin) ? origin : (this.#origins[0] ?? '') };
  };

  override check(request: CheckedRequest) {
    return super.check(this.#route(request));
  }

  override abandon(request: CheckedRequest) {
    return super.abandon(this.#route(request));
  }
}

interface Plan extends Traffic {
  seconds: number;
  /** Whether requests may be refused under overload and sent again, because the machine also does other work. */
  isPatient: boolean;
  /** How long before its end a process gets no new requests. */
  rotationMs: number;
}

// biome-ignore lint/suspicious/noExplicitAny: each command prints a value of its own shape.
type Command = (main: string, ...words: string[]) => Promise<any>;

const commandsOn =
  (urls: EmbeddedUrls, folder: string): Command =>
  async (main, ...words) => {
    const owner = words[0] === 'migrate' ? { DATABASE_OWNER_URL: urls.ownerUrl } : {};
    const env = { DEMO: 'off', DATABASE_URL: urls.url, DATA_DIR: folder, ...owner };
    const { code, stdout, stderr } = await startProgram(words, { env, main }).finished;
    if (code !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`);
    return JSON.parse(stdout);
  };

/** Creates a company by the commands of the old release, because its tables may differ from ours. */
async function makePusher(command: Command, main: string, apiUrl: string, seed: number): Promise<RosterPusher> {
  const { id } = await command(main, 'company', 'create', '--name', `Company ${seed}`);
  const at = ['--company', String(id)];
  const key = await command(main, 'key', 'create', ...at, '--permissions', 'all');
  const integration = await command(main, 'integration', 'create', ...at, '--name', 'HR', '--type', 'api-integration');
  const company = {
    companyId: asCompanyId(id),
    integrationId: integration.id,
    key,
    authorization: basic(key),
    user: { id: '', email: '', password: '' },
  };
  return new RosterPusher(company, apiUrl, new RosterStream(createRandom(seed), hireForNextMonth));
}

const unlimited = { RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'warn' };

async function startBoth({ startApi, startWorker, urls }: Fixture, main: string) {
  const [api, worker] = [await startApi(unlimited, main), await startWorker(urls.url, main)];
  return { api, worker, origin: new URL(api.url).origin };
}

type Started = Awaited<ReturnType<typeof startBoth>>;

async function endGracefully({ api, worker }: Started): Promise<string[]> {
  api.signal('SIGTERM');
  await worker.end('SIGTERM');
  const codes = { API: (await api.exited).code, worker: (await worker.finished).code };
  return Object.entries(codes).flatMap(([name, code]) => (code === 0 ? [] : [`the old ${name} ended with ${code}`]));
}

/** Readers send wrong keys on purpose, and patient ones send a refused request again. */
const isExpected = (line: string, { isPatient }: Plan) =>
  line === '' ||
  line.includes('"msg":"authentication failed"') ||
  (isPatient && line.includes('"msg":"request failed"') && line.includes('"code":"unavailable"'));

const listLogged = ({ api, worker }: Started, name: string, plan: Plan) =>
  [...api.output.stderr.split('\n'), ...worker.output.stderr.split('\n')]
    .filter((line) => !isExpected(line, plan))
    .map((line) => `${name}: ${line}`);

async function findFailedJobs({ db }: Fixture): Promise<string[]> {
  const { rows } = await sql<{ name: string; state: string; attempts: number }>`
    select name, state::text, retry_count as attempts from queue.job where state in ('failed', 'retry')`.execute(db);
  return rows.map(({ name, state, attempts }) => `${name} is ${state} after ${attempts} repetitions`);
}

async function findLost({ db }: Fixture, pushers: RosterPusher[]): Promise<string[]> {
  await sql`analyze`.execute(db);
  const wrong: string[] = [];
  for (const pusher of pushers) {
    const company = expectAfter(pusher, await listSyncIds(db, pusher.company.companyId));
    await verifyPushes(db, company).catch((error) => wrong.push(`company ${company.companyId}: ${error.message}`));
  }
  return wrong;
}

async function run(fixture: Fixture, plan: Plan, oldMain: string, { seed, log }: Context) {
  const { db, urls, folder } = fixture;
  const command = commandsOn(urls, folder);
  const old = await startBoth(fixture, oldMain);
  const pushers: RosterPusher[] = [];
  for (const _ of plan.sizes) pushers.push(await makePusher(command, oldMain, old.api.url, seed + pushers.length));
  await Promise.all(pushers.map((pusher, index) => pusher.push(plan.sizes[index] ?? 0)));
  for (const pusher of pushers) await pusher.waitFor(0);
  const first = firstOfNextMonth(Temporal.Now.plainDateISO('Europe/Berlin'));
  await command(oldMain, 'time-travel', '--to', first.toString());
  await untilSettled(db, 120_000);

  const origins = [old.origin];
  const client = new BalancedClient(origins, plan.isPatient);
  const readable = pushers.map(({ company }) => company);
  const stopping = new AbortController();
  const service = { client, db, databaseUrl: urls.url, origins, first, readable, pushers, joined: [] };
  const busy = keepBusy(service, plan, seed, stopping.signal);
  const phase = () => sleep(plan.seconds * 1_000);
  const upgrade = async () => {
    await phase();
    const begun = performance.now();
    const { applied } = await command(ownMain, 'migrate');
    log(`migrated in ${Math.round(performance.now() - begun)} ms: ${JSON.stringify(applied)}`);
    const next = await startBoth(fixture, ownMain);
    origins.push(next.origin);
    await phase();
    // A day passes while both versions work on jobs.
    await command(ownMain, 'time-travel', '--to', first.add({ days: 1 }).toString());
    const both = client.sent;
    origins.shift();
    for (const pusher of pushers) pusher.connect(next.origin);
    await sleep(plan.rotationMs);
    const unended = await endGracefully(old);
    await phase();
    return { next, unended, both, applied: applied.length };
  };
  const { next, unended, both, applied } = await upgrade().finally(() => stopping.abort());
  const { syncs } = await busy;
  const left = await untilSettled(db, 120_000);
  const unexpected = pushers.flatMap((pusher) => pusher.unexpected);
  return [
    info('migrations applied beside the old release', applied),
    info('requests until the old release ended', both),
    info('requests', client.sent),
    info('rosters applied', syncs),
    noneOf('failed requests', [...client.faults, ...unexpected], log),
    (plan.isPatient ? info : none)('requests sent again', client.repeated + sum(pushers.map(({ retries }) => retries))),
    noneOf('failed jobs', await findFailedJobs(fixture), log),
    noneOf('warnings and errors in the logs', [...listLogged(old, 'old', plan), ...listLogged(next, 'new', plan)], log),
    noneOf('processes that did not end gracefully', unended, log),
    none('jobs, rosters and documents left unfinished', left),
    noneOf('companies that differ from their rosters', await findLost(fixture, pushers), log),
  ];
}

const prepareWith = (main: string) => async (urls: EmbeddedUrls, folder: string) => {
  await commandsOn(urls, folder)(main, 'migrate');
};

async function upgradeFromPrevious(plan: Plan, context: Context): Promise<Metric[]> {
  const release = await findPreviousRelease();
  if (typeof release === 'string') throw new Error(release);
  context.log(`previous release: ${release.version} (${release.commit.slice(0, 8)})`);
  return withRelease(release, (main) => withFixture((fixture) => run(fixture, plan, main, context), prepareWith(main)));
}

/** Every roster lacks one percent of the employees at most, which is below the removal guard. */
const common = { shrinkTo: 0.99, pending: 0 };

export const rollingUpgrade: Scenario<Plan> = {
  name: 'rolling-upgrade',
  title: 'The previous release and this one side by side, while the database is migrated',
  plans: {
    full: {
      ...common,
      isPatient: false,
      rotationMs: 500,
      seconds: 20,
      sizes: [2_000, 500, 200],
      readers: 6,
      pauses: { readMs: 30, pushMs: 1_500 },
    },
    quick: {
      ...common,
      isPatient: true,
      rotationMs: 2_000,
      seconds: 1,
      sizes: [200],
      readers: 2,
      pauses: { readMs: 50, pushMs: 300 },
    },
  },
  async findObstacle() {
    const release = await findPreviousRelease();
    return typeof release === 'string' ? release : undefined;
  },
  run: upgradeFromPrevious,
};
