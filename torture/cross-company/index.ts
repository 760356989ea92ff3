import { isDeepStrictEqual } from 'node:util';
import { atLeast, info, type Metric, none } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom, type Random } from '../../src/demo/random.ts';
import type { TestApp } from '../../test/support/app.ts';
import { listPortalRoutes } from '../../test/support/portal.ts';
import { makePusher } from '../../test/support/sync.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import { withTestApp } from '../support/test-app.ts';
import { openWire, type Wire, type WireAnswer, type WireRequest } from '../support/wire.ts';
import { listMarks, takeRows } from './company-rows.ts';
import { type Holdings, type Kind, makeHoldings, type Names, namesOfNobody, restartIds } from './holdings.ts';
import { type Chosen, listApiProbes, listPortalProbes, type Probe } from './probes.ts';
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

const varying = new Set(['date', 'x-request-id', 'content-length', 'retry-after']);

/**
 * Returns the response without the parts that differ between any two requests, and without the names that were sent.
 */
function essence({ status, headers, bytes }: WireAnswer, used: Map<Kind, string>) {
  let text = bytes.toString('latin1');
  for (const [kind, name] of used) text = text.replaceAll(Buffer.from(name).toString('latin1'), `«${kind}»`);
  text = text
    .replaceAll(/"requestId":"[^"]+"/g, '')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '«moment»')
    .replaceAll(/\/invitation\/\d+\.[\w-]{43}/g, '«invitation»')
    .replaceAll(/in \d+ seconds/g, 'in «some» seconds');
  const kept = Object.entries(headers).filter(([name]) => !varying.has(name) && !name.startsWith('ratelimit'));
  return { status, headers: kept, text };
}

/** Returns a value of the other company that the response contains and the request does not. */
function findLeak(request: WireRequest, answer: WireAnswer, marks: string[]): string | undefined {
  const said = `${decodeURIComponent(request.path)} ${JSON.stringify(request.headers)} ${request.body ?? ''}`;
  const told = `${JSON.stringify(answer.headers)} ${answer.bytes.toString()}`;
  return marks.find((mark) => told.includes(mark) && !said.includes(mark));
}

interface Stage {
  app: TestApp;
  wire: Wire;
  theirs: Holdings;
  nobodys: Names;
  probes: Probe[];
  marks: string[];
  log: (line: string) => void;
}

type Finding = 'different' | 'leaked' | 'failed';
type Findings = Record<Finding, number> & { asked: Set<string>; statuses: Map<number, number> };

async function tryProbe(stage: Stage, probe: Probe, random: Random, findings: Findings): Promise<void> {
  const { wire, theirs, nobodys, marks, log } = stage;
  const turn = random.int(0, 1_000_000);
  const spell = random.pick(spellings);
  const ask = async (names: Names) => {
    const { chosen, used } = choose(names, turn, spell);
    const request = probe.make(chosen, createRandom(turn));
    return { request, used, answer: await wire.insist(request) };
  };
  const [first, second] = random.chance(0.5) ? [theirs.names, nobodys] : [nobodys, theirs.names];
  const pair = [await ask(first), await ask(second)] as const;
  const [one, other] = pair.map(({ answer, used }) => essence(answer, used));
  findings.asked.add(probe.name);
  const note = (finding: Finding, what: string) => {
    findings[finding] += 1;
    if (findings[finding] > 5) return;
    log(`${finding}: ${probe.name}: ${what}`);
    for (const { request, answer } of pair) {
      log(
        `  ${request.method} ${request.path} ${request.body ?? ''} → ${answer.status} ${answer.bytes.toString().slice(0, 400)}`,
      );
    }
  };
  if (!isDeepStrictEqual(one, other)) note('different', 'another company is told from nobody');
  for (const { request, answer } of pair) {
    findings.statuses.set(answer.status, (findings.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500) note('failed', 'the service failed');
    const leak = findLeak(request, answer, marks);
    if (leak !== undefined) note('leaked', leak);
  }
}

/** Tries every kind of probe in turn, so that each is used. Names and spellings are random. */
async function tryAll(stage: Stage, { probes: count }: ProbePlan, random: Random): Promise<Findings> {
  const findings: Findings = { different: 0, leaked: 0, failed: 0, asked: new Set(), statuses: new Map() };
  let round: Probe[] = [];
  for (let number = 0; number < count; number++) {
    if (round.length === 0) round = random.shuffle(stage.probes);
    const probe = round.pop();
    if (probe !== undefined) await tryProbe(stage, probe, random, findings);
  }
  return findings;
}

/**
 * Counts probes that show nothing even to the owner. Such a probe would find no leak, even without any access control.
 */
async function countBlindProbes({ app, wire, theirs, marks, log }: Stage, portal: { method: string; url: string }[]) {
  const { origin } = new URL(app.config.publicUrl);
  const asOwner = [...listApiProbes(theirs), ...listPortalProbes(portal, theirs, origin)];
  const seeing = asOwner.filter(({ isShownToOwner }) => isShownToOwner);
  let blind = 0;
  for (const [number, probe] of seeing.entries()) {
    const { chosen } = choose(theirs.names, number, (name) => name);
    // A client that has never downloaded the document sends no ETag.
    const never = { ...createRandom(number), chance: () => false };
    const { status, headers, bytes } = await wire.insist(probe.make(chosen, never));
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
async function countDifferentSyncs({ app, theirs, nobodys, log }: Stage): Promise<number> {
  const outcomes = [];
  for (const names of [theirs.names, nobodys]) {
    const pusher = await makePusher(app);
    const employees = names.employeeEmail.map((email, index) => ({
      hrId: names.hrId[index] ?? `more-${index}`,
      firstName: 'Probe',
      lastName: 'Probe',
      email,
    }));
    const { state, counts } = await pusher.sync(names.sync[0] ?? '', employees);
    const records = await pusher.records(names.sync[0] ?? '');
    const told = records.map(({ outcome, code, detail, changes }) => ({
      outcome,
      code,
      detail,
      changes: changes.length,
    }));
    outcomes.push({ state, counts, told });
  }
  if (isDeepStrictEqual(outcomes[0], outcomes[1])) return 0;
  log(`different: ${JSON.stringify(outcomes)}`);
  return 1;
}

const changedTables = (before: Map<string, string>, after: Map<string, string>) =>
  [...before.keys()].filter((table) => before.get(table) !== after.get(table));

async function run(plan: ProbePlan, { seed, log }: Context): Promise<Metric[]> {
  return withTestApp({ env: walletEnv, worker: true }, async (app) => {
    const random = createRandom(seed);
    const ours = await makeHoldings(app, idsFrom.ours);
    const theirs = await makeHoldings(app, idsFrom.theirs);
    await restartIds(app.db, idsFrom.others);
    const nobodys = namesOfNobody(theirs.names, idsFrom.theirs, idsFrom.nobodys, random);
    const portal = await listPortalRoutes(app);
    const { origin } = new URL(app.config.publicUrl);
    const probes = [...listApiProbes(ours), ...listPortalProbes(portal, ours, origin)];
    const marks = await listMarks(app.db, theirs.companyId, ours.companyId);
    const wire = openWire(app.url, 1);
    const stage: Stage = { app, wire, theirs, nobodys, probes, marks, log };
    try {
      const before = await takeRows(app.db, theirs.companyId);
      const findings = await tryAll(stage, plan, random);
      const differentSyncs = await countDifferentSyncs(stage);
      const changed = changedTables(before, await takeRows(app.db, theirs.companyId));
      for (const table of changed) log(`changed: ${table}`);
      const { blind, seeing } = await countBlindProbes(stage, portal);
      return [
        info('probes, each with a name of theirs and one of nobody', plan.probes),
        atLeast('kinds of probe made', findings.asked.size, probes.length),
        info('of them such that an owner is shown something', seeing),
        info('words and ids of theirs that must not be told', marks.length),
        info('answers 404', findings.statuses.get(404) ?? 0),
        info('answers 503 to a busy machine, asked again', wire.busy()),
        info('answers 400', findings.statuses.get(400) ?? 0),
        none('answers that tell another company from nobody', findings.different + differentSyncs),
        none('answers with something of another company', findings.leaked),
        none('tables of the other company changed', changed.length),
        none('answers 5xx', findings.failed),
        none('probes that prove nothing', blind),
      ];
    } finally {
      wire.close();
    }
  });
}

/**
 * Checks that a request that names something of another company gets the same response as one that names nothing at
 * all.
 */
export const crossCompany: Scenario<ProbePlan> = {
  name: 'cross-company',
  title: 'ids, addresses and words of another company, in every place that takes them',
  plans: { full: { probes: 2_000 }, quick: { probes: 150 } },
  run,
};
