import { isDeepStrictEqual } from 'node:util';
import { atLeast, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom, type Random } from '../../src/demo/random.ts';
import type { TestApp } from '../../test/support/app.ts';
import { makePusher } from '../../test/support/sync.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import { apiOperations, listPortalOperations } from '../arbitraries/operations.ts';
import { HttpClient, type HttpRequest, type HttpResponse } from '../support/http-client.ts';
import { withTestApp } from '../support/test-app.ts';
import { listMarks, takeRows } from './company-rows.ts';
import { type Chosen, listProbes, type Probe } from './probes.ts';
import { type CompanyRecords, type Kind, makeRecords, type Names, namesOfNobody, restartIds } from './records.ts';
import { spellings } from './spellings.ts';

interface ProbePlan {
  probes: number;
}

/** The first id of each group. All ids have nine digits, so that responses have equal lengths too. */
const idsFrom = { ours: 300_000_000, nobodys: 500_000_000, theirs: 700_000_000, others: 900_000_000 };

function choose(names: Names, turn: number, spell: (name: string) => string) {
  const used = new Map<Kind, string>();
  const of = (kind: Kind) => {
    const name = names[kind][turn % names[kind].length] ?? '';
    used.set(kind, name);
    return name;
  };
  const chosen: Chosen = { of, inPath: (kind) => encodeURIComponent(spell(of(kind))) };
  return { chosen, used };
}

const varyingHeaders = new Set(['date', 'x-request-id', 'content-length', 'retry-after']);

/** Returns the response without the parts that differ between any two requests, and without the names that were sent. */
function normalise({ status, headers, bytes }: HttpResponse, used: Map<Kind, string>) {
  let text = bytes.toString('latin1');
  for (const [kind, name] of used) text = text.replaceAll(Buffer.from(name).toString('latin1'), `«${kind}»`);
  text = text
    .replaceAll(/"requestId":"[^"]+"/g, '')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '«timestamp»')
    .replaceAll(/\/invitation\/\d+\.[\w-]{43}/g, '«invitation»')
    .replaceAll(/in \d+ seconds/g, 'in «some» seconds');
  const stable = Object.entries(headers).filter(([name]) => !varyingHeaders.has(name) && !name.startsWith('ratelimit'));
  return { status, headers: stable, text };
}

/** Returns a value of the other company that the response contains and the request does not. */
function findLeak(request: HttpRequest, response: HttpResponse, marks: string[]): string | undefined {
  const sent = `${decodeURIComponent(request.path)} ${JSON.stringify(request.headers)} ${JSON.stringify(request.body)}`;
  const received = `${JSON.stringify(response.headers)} ${response.bytes.toString()}`;
  return marks.find((mark) => received.includes(mark) && !sent.includes(mark));
}

interface Fixture {
  app: TestApp;
  client: HttpClient;
  theirs: CompanyRecords;
  nobodys: Names;
  probes: Probe[];
  /** The same probes, sent by the company that owns the things. */
  ownerProbes: Probe[];
  /** Values of the other company that no response may contain. */
  marks: string[];
  log: Context['log'];
}

type FindingKind = 'different' | 'leaked' | 'failed';
type Findings = Record<FindingKind, number> & { sent: Set<string>; statuses: Map<number, number> };

async function tryProbe(fixture: Fixture, probe: Probe, random: Random, findings: Findings): Promise<void> {
  const { client, theirs, nobodys, marks, log } = fixture;
  const turn = random.int(0, 1_000_000);
  const spell = random.pick(spellings);
  const send = async (names: Names) => {
    const { chosen, used } = choose(names, turn, spell);
    const request = probe.make(chosen, createRandom(turn));
    return { request, used, response: await client.sendPatiently(request) };
  };
  const [first, second] = random.chance(0.5) ? [theirs.names, nobodys] : [nobodys, theirs.names];
  const pair = [await send(first), await send(second)] as const;
  const [one, other] = pair.map(({ response, used }) => normalise(response, used));
  findings.sent.add(probe.name);
  const note = (kind: FindingKind, detail: string) => {
    findings[kind] += 1;
    if (findings[kind] > 5) return;
    log(`${kind}: ${probe.name}: ${detail}`);
    for (const { request, response } of pair) {
      log(`  ${JSON.stringify(request)} → ${response.status} ${response.bytes.toString().slice(0, 400)}`);
    }
  };
  if (!isDeepStrictEqual(one, other)) note('different', 'the response shows that the other company has it');
  for (const { request, response } of pair) {
    findings.statuses.set(response.status, (findings.statuses.get(response.status) ?? 0) + 1);
    if (response.status >= 500) note('failed', 'the service failed');
    const leak = findLeak(request, response, marks);
    if (leak !== undefined) note('leaked', leak);
  }
}

/** Tries every kind of probe in turn, so that each is used. Names and spellings are random. */
async function tryAll(fixture: Fixture, { probes: count }: ProbePlan, random: Random): Promise<Findings> {
  const findings: Findings = { different: 0, leaked: 0, failed: 0, sent: new Set(), statuses: new Map() };
  let round: Probe[] = [];
  for (let number = 0; number < count; number++) {
    if (round.length === 0) round = random.shuffle(fixture.probes);
    const probe = round.pop();
    if (probe !== undefined) await tryProbe(fixture, probe, random, findings);
  }
  return findings;
}

/** Counts probes that show nothing even to the owner. Such a probe would find no leak, even without access control. */
async function countBlindProbes({ client, theirs, marks, log, ownerProbes }: Fixture) {
  const seeing = ownerProbes.filter(({ isShownToOwner }) => isShownToOwner);
  let blind = 0;
  for (const [number, probe] of seeing.entries()) {
    const { chosen } = choose(theirs.names, number, (name) => name);
    // A client that has never downloaded the document sends no ETag.
    const never = { ...createRandom(number), chance: () => false };
    const { status, headers, bytes } = await client.sendPatiently(probe.make(chosen, never));
    const isFile = headers['content-type'] === 'application/pdf';
    if (status < 400 && (isFile || marks.some((mark) => bytes.toString().includes(mark)))) continue;
    blind += 1;
    log(`blind: ${probe.name} → ${status} ${bytes.toString().slice(0, 200)}`);
  }
  return { blind, seeing: seeing.length };
}

/**
 * Pushes rosters as a third company, first with their ids, addresses and syncId, then with unknown ones. Both must have
 * the same outcome.
 */
async function countDifferentSyncs({ app, theirs, nobodys, log }: Fixture): Promise<number> {
  const outcomes = [];
  for (const names of [theirs.names, nobodys]) {
    const pusher = await makePusher(app);
    const employees = names.employeeEmail.map((email, index) => {
      const hrId = names.hrId[index] ?? `more-${index}`;
      return { hrId, firstName: 'Probe', lastName: 'Probe', email };
    });
    const { state, counts } = await pusher.sync(names.sync[0] ?? '', employees);
    const records = (await pusher.records(names.sync[0] ?? '')).map(({ outcome, code, detail, changes }) => ({
      outcome,
      code,
      detail,
      changes: changes.length,
    }));
    outcomes.push({ state, counts, records });
  }
  if (isDeepStrictEqual(outcomes[0], outcomes[1])) return 0;
  log(`different: ${JSON.stringify(outcomes)}`);
  return 1;
}

async function measure(fixture: Fixture, plan: ProbePlan, random: Random): Promise<Metric[]> {
  const { app, client, theirs, probes, marks, log } = fixture;
  const before = await takeRows(app.db, theirs.companyId);
  const findings = await tryAll(fixture, plan, random);
  const differentSyncs = await countDifferentSyncs(fixture);
  const after = await takeRows(app.db, theirs.companyId);
  const changed = [...before.keys()].filter((table) => before.get(table) !== after.get(table));
  for (const table of changed) log(`changed: ${table}`);
  const { blind, seeing } = await countBlindProbes(fixture);
  return [
    info('probes, each with a name of theirs and one of nobody', plan.probes),
    atLeast('kinds of probe sent', findings.sent.size, probes.length),
    info('of these with something to show to the owner', seeing),
    info('values of theirs that no response may contain', marks.length),
    info('responses 404', findings.statuses.get(404) ?? 0),
    info('requests repeated after 503', client.repeated),
    info('responses 400', findings.statuses.get(400) ?? 0),
    none('responses that differ between another company and nobody', findings.different + differentSyncs),
    none('responses with a value of another company', findings.leaked),
    none('tables of the other company changed', changed.length),
    none('responses 5xx', findings.failed),
    none('probes that show nothing even to the owner', blind),
  ];
}

const run = (plan: ProbePlan, { seed, log }: Context): Promise<Metric[]> =>
  withTestApp({ env: walletEnv, worker: true }, async (app) => {
    const random = createRandom(seed);
    const ours = await makeRecords(app, idsFrom.ours);
    const theirs = await makeRecords(app, idsFrom.theirs);
    await restartIds(app.db, idsFrom.others);
    const nobodys = namesOfNobody(theirs.names, idsFrom.theirs, idsFrom.nobodys, random);
    const operations = [...apiOperations, ...listPortalOperations(app)];
    const { origin } = new URL(app.config.publicUrl);
    const [probes, ownerProbes] = [listProbes(operations, ours, origin), listProbes(operations, theirs, origin)];
    const marks = await listMarks(app.db, theirs.companyId, ours.companyId);
    const client = new HttpClient(app.url, 1);
    try {
      return await measure({ app, client, theirs, nobodys, probes, ownerProbes, marks, log }, plan, random);
    } finally {
      client.close();
    }
  });

/**
 * Checks that a request that names something of another company gets the same response as one that names nothing at
 * all.
 */
export const crossCompany: Scenario<ProbePlan> = {
  name: 'cross-company',
  title: 'Ids, addresses and words of another company, in every place that takes them',
  plans: { full: { probes: 2_000 }, quick: { probes: 150 } },
  run,
};
