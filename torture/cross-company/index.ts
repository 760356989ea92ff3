import { isDeepStrictEqual } from 'node:util';
import { atLeast, info, type Metric, noneOf } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom, type Random } from '../../src/operator/demo/random.ts';
import type { TestApp } from '../../test/support/app.ts';
import { makeCompany } from '../../test/support/factories.ts';
import { makeUser, signIn } from '../../test/support/portal.ts';
import { makePusher } from '../../test/support/sync.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import { apiOperations, listPortalOperations } from '../arbitraries/operations.ts';
import { withTestApp } from '../support/fixture.ts';
import { HttpClient, type HttpRequest, type HttpResponse } from '../support/http-client.ts';
import { fillIn, listProbes, type Probe, spellings } from './probes.ts';
import { type Kind, listMarks, makeRecords, type Names, namesOfNobody, readRows, restartIds } from './records.ts';

/** The first id of each group. All ids have nine digits, so that responses have equal lengths too. */
const idsFrom = { ours: 300_000_000, nobodys: 500_000_000, theirs: 700_000_000, others: 900_000_000 };

/** The validator of a list or record is a hash of its URL, among other things. */
const varyingHeaders = new Set(['date', 'x-request-id', 'content-length', 'retry-after', 'etag']);

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

function findLeak(request: HttpRequest, response: HttpResponse, marks: string[]): string | undefined {
  const sent = `${decodeURIComponent(request.path)} ${JSON.stringify(request.headers)} ${JSON.stringify(request.body)}`;
  const received = `${JSON.stringify(response.headers)} ${response.bytes.toString()}`;
  return marks.find((mark) => received.includes(mark) && !sent.includes(mark));
}

interface Fixture {
  app: TestApp;
  client: HttpClient;
  theirs: Names;
  nobodys: Names;
  probes: Probe[];
  marks: string[];
}

async function sendProbes({ client, theirs, nobodys, probes, marks }: Fixture, count: number, random: Random) {
  const found = { different: [] as string[], leaked: [] as string[], failed: [] as string[] };
  const statuses: number[] = [];
  const sent = new Set<string>();
  let round: Probe[] = [];
  for (let number = 0; number < count; number++) {
    if (round.length === 0) round = random.shuffle(probes);
    const probe = round.pop() as Probe;
    const [turn, spell] = [random.int(0, 1_000_000), random.pick(spellings)];
    const pair: { request: HttpRequest; response: HttpResponse; used: Map<Kind, string> }[] = [];
    for (const names of random.shuffle([theirs, nobodys])) {
      const { request, used } = fillIn(probe, names, turn, spell);
      pair.push({ request, used, response: await client.sendPatiently(request) });
    }
    sent.add(probe.name);
    const details = pair.map(({ request, response: { status, bytes } }) => {
      return `  ${JSON.stringify(request)} → ${status} ${bytes.toString().slice(0, 400)}`;
    });
    const describe = (what: string) => [`${probe.name}: ${what}`, ...details].join('\n');
    const [one, other] = pair.map(({ response, used }) => normalise(response, used));
    if (!isDeepStrictEqual(one, other)) found.different.push(describe('shows that the other company has it'));
    for (const { request, response } of pair) {
      statuses.push(response.status);
      if (response.status >= 500) found.failed.push(describe('the service failed'));
      const leak = findLeak(request, response, marks);
      if (leak !== undefined) found.leaked.push(describe(leak));
    }
  }
  return { ...found, statuses, sent };
}

/** Responses with figures and states only. That they differ from those about nobody is all that can be noticed. */
const withoutNames = [
  '/syncs/:syncId/progress',
  '/syncs/:syncId/removals',
  '/integrations/:id/connection',
  '/integrations/:id/scim',
  '/integrations/:id/deletion',
];

/** Returns probes that show nothing even to the owner. Such a probe would find no leak, even without access control. */
async function findBlindProbes({ client, theirs, marks }: Fixture, ownerProbes: Probe[]): Promise<string[]> {
  const blind: string[] = [];
  for (const [turn, probe] of ownerProbes.entries()) {
    const { status, headers, bytes } = await client.sendPatiently(fillIn(probe, theirs, turn).request);
    const isFile = headers['content-disposition'] !== undefined;
    const hasNames = !withoutNames.some((path) => probe.name.includes(path));
    const isShown = status < 400 && (isFile || !hasNames || marks.some((mark) => bytes.toString().includes(mark)));
    if (!isShown) blind.push(`${probe.name} → ${status} ${bytes.toString().slice(0, 200)}`);
  }
  return blind;
}

/** Pushes rosters as a third company, with their ids, addresses and syncId, and with unknown ones: the same outcome. */
async function findDifferentSyncs({ app, theirs, nobodys }: Fixture): Promise<string[]> {
  const outcomes = [];
  for (const { employeeEmail, hrId, sync } of [theirs, nobodys]) {
    const pusher = await makePusher(app);
    const employees = employeeEmail.map((email, index) => {
      return { hrId: hrId[index] ?? `more-${index}`, firstName: 'Probe', lastName: 'Probe', email };
    });
    const { state, counts } = await pusher.sync(sync[0] ?? '', employees);
    const records = (await pusher.records(sync[0] ?? '')).map(({ outcome, code, detail, changes }) => {
      return { outcome, code, detail, changes: changes.length };
    });
    outcomes.push({ state, counts, records });
  }
  return isDeepStrictEqual(outcomes[0], outcomes[1]) ? [] : [`syncs: ${JSON.stringify(outcomes)}`];
}

/** Adds their domain, which they have proven, and one of nobody, each to a new company: the same responses. */
async function findDifferentClaims({ app, theirs, nobodys }: Fixture): Promise<string[]> {
  const responses = [];
  for (const [domain = ''] of [theirs.domain, nobodys.domain]) {
    const { post } = await signIn(app, await makeUser(app, await makeCompany(app.db)));
    const { status, bytes } = await post('/sso/domains', { domain });
    const text = bytes.toString().replaceAll(domain, '«domain»');
    responses.push({
      status,
      text: text.replaceAll(/transit-benefits=[\w-]+/g, '«token»').replaceAll(/\/sso\/callback\/\d+/g, '«callback»'),
    });
  }
  return isDeepStrictEqual(responses[0], responses[1]) ? [] : [`domains: ${JSON.stringify(responses)}`];
}

const run = ({ probes: count }: { probes: number }, { seed, log }: Context): Promise<Metric[]> =>
  withTestApp({ env: { ...walletEnv, WEBHOOK_ALLOW_PRIVATE: 'on' }, worker: true }, async (app) => {
    const random = createRandom(seed);
    const ours = await makeRecords(app, idsFrom.ours);
    const { names: theirs, ...owner } = await makeRecords(app, idsFrom.theirs);
    await restartIds(app.db, idsFrom.others);
    const nobodys = namesOfNobody(theirs, idsFrom.theirs, idsFrom.nobodys, random);
    const operations = [...apiOperations, ...listPortalOperations(app)];
    const { origin } = new URL(app.config.publicUrl);
    const probes = listProbes(operations, ours, origin);
    const ownerProbes = listProbes(operations, { ...owner, names: theirs }, origin).filter(
      ({ isShownToOwner }) => isShownToOwner,
    );
    const marks = await listMarks(app.db, owner.companyId, ours.companyId);
    const client = new HttpClient(app.url, 1);
    const fixture: Fixture = { app, client, theirs, nobodys, probes, marks };
    const before = await readRows(app.db, owner.companyId);
    const { different, leaked, failed, statuses, sent } = await sendProbes(fixture, count, random);
    different.push(...(await findDifferentSyncs(fixture)), ...(await findDifferentClaims(fixture)));
    const after = await readRows(app.db, owner.companyId);
    const changed = [...before.keys()].filter((table) => !isDeepStrictEqual(before.get(table), after.get(table)));
    return [
      info('probes, each with a name of theirs and one of nobody', count),
      atLeast('kinds of probe sent', sent.size, probes.length),
      info('of these with something to show to the owner', ownerProbes.length),
      info('values of theirs that no response may contain', marks.length),
      info('responses 404', statuses.filter((status) => status === 404).length),
      info('requests repeated after 503', client.repeated),
      info('responses 400', statuses.filter((status) => status === 400).length),
      noneOf('responses that differ between another company and nobody', different, log),
      noneOf('responses with a value of another company', leaked, log),
      noneOf('tables of the other company changed', changed, log),
      noneOf('responses 5xx', failed, log),
      noneOf('probes that show nothing even to the owner', await findBlindProbes(fixture, ownerProbes), log),
    ];
  });

export const crossCompany: Scenario<{ probes: number }> = {
  name: 'cross-company',
  title: 'Ids, addresses and words of another company, in every place that takes them',
  plans: { full: { probes: 2_000 }, quick: { probes: 300 } },
  run,
};
