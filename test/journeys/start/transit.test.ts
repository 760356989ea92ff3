import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, describe, it } from 'node:test';
import { runCli } from '../../../sdk/src/cli/run.ts';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { useApp } from '../../support/app.ts';
import {
  anEmployee,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployees,
  makeKey,
} from '../../support/factories.ts';
import { before } from '../../support/prepare.ts';
import { entries, makePusher, type Pusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const noJq = spawnSync('jq', ['--version']).status !== 0 && 'jq is not installed (Debian: apt install jq)';

const app = useApp({ worker: 'without documents' });
let folder: string;
let pusher: Pusher;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transit-cli-'));
  pusher = await makePusher(app);
  await pusher.sync('first', subscribed(3));
});
after(() => rm(folder, { recursive: true, force: true }));

const subscribed = (count: number) => entries(count).map((entry) => ({ ...entry, autoSyncEmployee: true }));

const keyOf = ({ key }: Pick<Pusher, 'key'>) => `${key.username}:${key.password}`;

interface Started {
  output: { stdout: string; stderr: string };
  ended: Promise<number>;
  stop(): void;
}

interface Surroundings {
  env?: Record<string, string>;
  input?: string;
  /** What somebody at a terminal types. */
  typed?: string;
}

function start(
  words: string[],
  { env = { TRANSIT_BENEFITS_KEY: keyOf(pusher) }, input, typed }: Surroundings = {},
): Started {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const output = { stdout: '', stderr: '' };
  stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  if (typed === undefined) stdin.end(input ?? '');
  else {
    Object.assign(stdin, { isTTY: true });
    Object.assign(stderr, { isTTY: true });
    stdin.write(typed);
  }
  const stop = new AbortController();
  const streams = { stdin, stdout, stderr, env: { HOME: folder, TRANSIT_BENEFITS_URL: app.url, ...env } };
  return { output, ended: runCli(words, streams, '1.2.3', stop.signal), stop: () => stop.abort() };
}

async function transit(words: string[], surroundings?: Surroundings) {
  const { output, ended } = start(words, surroundings);
  const code = await ended;
  return { code, ...output };
}

const fileWith = async (name: string, content: string | Buffer) => {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
};

describe('transit', () => {
  it('explains itself, and what it does not understand', async () => {
    assert.match((await transit(['--help'])).stdout, /employees explain/);
    assert.match((await transit(['sync', '--help'])).stdout, /--dry-run/);
    assert.equal((await transit(['--version'])).stdout, '1.2.3\n');
    for (const words of [
      ['nonsense'],
      ['employees', 'list', '--nonsense'],
      ['employees', 'list', '--status', 'aktiv'],
    ]) {
      const { code, stderr } = await transit(words);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /--help|one of/);
    }
    for (const shell of ['bash', 'zsh', 'fish']) assert.match((await transit(['completion', shell])).stdout, /billing/);
    assert.equal((await transit(['completion', 'cmd'])).code, 2);
  });

  it('suggests what a misspelt command or option may mean', async () => {
    for (const [line, hint] of [
      ['employes list', /There is no command "employes list"\. Did you mean `transit employees list`\?/],
      ['employees lst', /Did you mean `transit employees list`\?/],
      ['whoam', /Did you mean `transit whoami`\?/],
      ['employees', /needs a command: list, show, explain/],
      ['employees list --serach x', /There is no option --serach\. Did you mean --search\?/],
      ['sync a.csv --dryrun', /Did you mean --dry-run\?/],
      ['employees list anna', /"anna" is too much/],
      ['employees list --limit', /argument missing/],
      ['api TRACE /me', /TRACE is no method/],
      ['api GET me', /Name a method and a path/],
    ] as const) {
      const { code, stdout, stderr } = await transit(line.split(' '));
      assert.deepEqual([code, stdout], [2, ''], line);
      assert.match(stderr, hint, line);
      assert.doesNotMatch(stderr, /\n +at /);
    }
    assert.match((await transit(['help', 'sync'])).stdout, /--dry-run/);
    const incomplete = await transit(['whoami'], { env: { TRANSIT_BENEFITS_KEY: 'username' } });
    assert.deepEqual([incomplete.code, /incomplete/.test(incomplete.stderr)], [3, true]);
  });

  it('lists integrations and syncs, and sends any other request', async () => {
    assert.match((await transit(['integrations', 'list'])).stdout, /api-integration +active +yes/);
    const [sync] = JSON.parse((await transit(['syncs', 'list', '--json'])).stdout);
    assert.equal(sync.integrationId, pusher.integrationId);
    const table = await transit(['syncs', 'list', '--integration', String(pusher.integrationId)]);
    assert.match(table.stdout, /first +succeeded/);
    for (const words of [['/me'], ['GET', '/me'], ['get', '/v1/me']]) {
      assert.equal(JSON.parse((await transit(['api', ...words])).stdout).data.username, pusher.key.username);
    }
    const path = `/hr-integrations/${pusher.integrationId}/sync?dryRun=true`;
    const input = JSON.stringify({ syncId: 'by-api', employees: subscribed(3) });
    const preview = await transit(['api', 'POST', path, '--body', '-'], {
      input,
      env: { TRANSIT_BENEFITS_KEY: keyOf(pusher) },
    });
    assert.equal(JSON.parse(preview.stdout).data.resource, 'sync-preview');
    assert.equal((await transit(['api', '/employees/98765'])).code, 4);
    assert.equal(
      (
        await transit(['api', 'POST', path, '--body', '-'], {
          input: '{',
          env: { TRANSIT_BENEFITS_KEY: keyOf(pusher) },
        })
      ).code,
      2,
    );
  });

  it('filters JSON with jq, and says what to do without it', { skip: noJq }, async () => {
    const emails = await transit(['employees', 'list', '--search', 'anna', '--jq', '.[].email']);
    assert.match(emails.stdout, /^anna\d@example\.com\n/m);
    const wrong = await transit(['whoami', '--jq', '.[']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--jq: jq: /);
    assert.equal((await transit(['employees', 'show', 'nobody@example.com', '--jq', '.'])).code, 4);
    const path = process.env.PATH;
    process.env.PATH = '';
    const absent = await transit(['whoami', '--jq', '.']).finally(() => {
      process.env.PATH = path;
    });
    assert.equal(absent.code, 1);
    assert.match(absent.stderr, /is not installed\. Install it/);
  });

  it('completes commands, options and values in bash', async () => {
    const { stdout: script } = await transit(['completion', 'bash']);
    const complete = (...words: string[]) => {
      const typed = words.map((word) => `'${word}'`).join(' ');
      const call = [`COMP_WORDS=(transit ${typed})`, `COMP_CWORD=${words.length}`, '_transit'];
      const lines = [script, ...call, 'echo "$' + '{COMPREPLY[*]}"'];
      return execFileSync('bash', ['-c', lines.join('\n')], { encoding: 'utf8' }).trim();
    };
    assert.equal(complete('employees', ''), 'list show explain');
    assert.equal(complete('sync', 'a.csv', '--dr'), '--dry-run');
    assert.equal(complete('employees', 'list', '--status', 'act'), 'active');
    assert.equal(complete('events', 'follow', '--type', 'tickets'), 'tickets-issued');
  });

  it('stores a key that only its owner can read, and deletes it', async () => {
    const env = { HOME: join(folder, 'home') };
    assert.deepEqual((await transit(['whoami'], { env })).code, 3);
    const wrong = await transit(['login', '--key-stdin'], { env, input: 'somebody:wrong' });
    assert.deepEqual([wrong.code, /mistyped/.test(wrong.stderr)], [3, true]);
    const login = await transit(['login', '--key-stdin'], { env, input: `${keyOf(pusher)}\n` });
    assert.match(login.stdout, /Signed in to Company/);
    const file = join(env.HOME, '.config/transit-benefits/keys.json');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const me = JSON.parse((await transit(['whoami', '--json'], { env })).stdout);
    assert.equal(me.username, pusher.key.username);
    assert.match((await transit(['whoami'], { env })).stdout, /view-employees/);
    assert.equal((await transit(['logout'], { env })).code, 0);
    assert(!(await readFile(file, 'utf8')).includes(pusher.key.password));
  });

  it('sends a key only to the origin that it is for', async (context) => {
    const received: (string | undefined)[] = [];
    const stranger = createServer(({ headers }, response) => {
      received.push(headers.authorization);
      response.writeHead(401).end();
    }).listen(0, '127.0.0.1');
    context.after(() => stranger.close());
    await once(stranger, 'listening');
    const { origin } = new URL(app.url);
    const other = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const env = { HOME: join(folder, 'bound') };
    const login = await transit(['login', '--key-stdin'], { env, input: keyOf(pusher) });
    assert.match(login.stderr, new RegExp(`only sent to ${origin}`));
    const refusals = [
      await transit(['whoami', '--url', other], { env }),
      await transit(['whoami'], { env: { ...env, TRANSIT_BENEFITS_URL: other } }),
      await transit(['events', 'follow', '--url', origin.replace('http', 'https')], { env }),
    ];
    for (const { code, stderr } of refusals) {
      assert.equal(code, 3, stderr);
      assert.match(stderr, /stored as default is only sent to .*run `transit login --url/);
    }
    const given = await transit(['whoami', '--url', other]);
    assert.deepEqual([given.code, /TRANSIT_BENEFITS_KEY is only sent to/.test(given.stderr)], [3, true]);
    assert.deepEqual(received, []);
    assert.equal((await transit(['whoami', '--url', origin], { env })).code, 0);
    await transit(['login', '--key-stdin', '--profile', 'two'], { env, input: keyOf(pusher) });
    const file = join(env.HOME, '.config/transit-benefits/keys.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace(origin, other));
    assert.match((await transit(['whoami'], { env })).stderr, /use --profile two/);
    assert.equal((await transit(['whoami', '--url', 'ftp://x'], { env })).code, 2);
    await writeFile(file, '{"default":null}');
    assert.match((await transit(['whoami'], { env })).stderr, /damaged/);
  });

  it('lists, shows and explains employees', async () => {
    const table = await transit(['employees', 'list', '--search', 'anna1', '--status', 'scheduled,active']);
    assert.match(table.stdout, /anna1@example.com/);
    const [first] = JSON.parse((await transit(['employees', 'list', '--json', '--limit', '1'])).stdout);
    for (const word of [String(first.id), first.email, `hr:${first.hrIntergartionLinks[0].hrId}`]) {
      assert.match((await transit(['employees', 'show', word])).stdout, new RegExp(first.email));
    }
    const explained = await transit(['employees', 'explain', first.email]);
    assert.match(explained.stdout, /no-subscription → scheduled/);
    assert.equal((await transit(['employees', 'show', 'nobody@example.com'])).code, 4);
    assert.equal((await transit(['employees', 'show', '98765'])).code, 4);
    const key = await makeKey(app.db, pusher.companyId, ['view-billing']);
    const refused = await transit(['employees', 'list', '--json'], { env: { TRANSIT_BENEFITS_KEY: keyOf({ key }) } });
    assert.equal(refused.code, 3);
    assert.equal(JSON.parse(refused.stderr).error.code, 'missing-permission');
  });

  it('never lets a name control the terminal', async () => {
    const evil = anEmployee({ first_name: '\u001b[2J\u202eevil', email: 'evil@example.com' });
    await makeEmployees(app.db, pusher.companyId, [evil]);
    const { stdout } = await transit(['employees', 'show', 'evil@example.com']);
    assert.match(stdout, /evil/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must be gone.
    assert.doesNotMatch(stdout, /[\u001b\u202e]/);
  });

  it('exports charges as CSV and JSON', async () => {
    const [id = 0] = await makeEmployees(app.db, pusher.companyId, [anEmployee()]);
    const charge = aTicketCharge(id, { first_name: '=HYPERLINK("x")', last_name: 'A, B' });
    await makeBillingItems(app.db, pusher.companyId, [charge]);
    const csv = await transit(['billing', 'export', '--period', '2026-11']);
    const [headings, line] = csv.stdout.split('\r\n');
    assert.match(headings ?? '', /^id,period,type,hrId/);
    assert.match(line ?? '', /"'=HYPERLINK\(""x""\)","A, B",/);
    assert.match(line ?? '', /,55\.93,3\.92,59\.85,59\.85,0\.00,/);
    const json = JSON.parse((await transit(['billing', 'export', '--period', '2026-11', '--format', 'json'])).stdout);
    assert.equal(json[0].billing.overall.value, 5985);
    const file = join(folder, 'charges.csv');
    await transit(['billing', 'export', '--period', '2026-11', '--output', file]);
    assert.equal(await readFile(file, 'utf8'), csv.stdout);
    assert.equal((await transit(['billing', 'export'])).code, 2);
    const key = await makeKey(app.db, pusher.companyId, ['view-employees']);
    const env = { TRANSIT_BENEFITS_KEY: keyOf({ key }) };
    const refused = join(folder, 'refused.csv');
    for (const words of [[], ['--output', refused], ['--output', file]]) {
      const { code, stdout } = await transit(['billing', 'export', '--period', '2026-11', ...words], { env });
      assert.deepEqual([code, stdout], [3, '']);
    }
    assert.equal(await readFile(file, 'utf8'), csv.stdout, 'an earlier file stays');
    const nowhere = await transit(['billing', 'export', '--period', '2026-11', '--output', '/nowhere/charges.csv']);
    assert.deepEqual([nowhere.code, nowhere.stderr], [1, '/nowhere/charges.csv cannot be written (ENOENT).\n']);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => /refused|part$/.test(name)),
      [],
    );
  });
});

describe('transit sync', () => {
  const german =
    'Pers.-Nr.;Vorname;Nachname;E-Mail-Adresse;Eintritt;Kommentar\r\n' +
    '1;Jörg;Groß;joerg@example.com;01.02.2025;x\r\n2;Zoë;Öz;zoe@example.com;;y\r\n';

  it('reads what German Excel writes, shows the plan, and applies it', async () => {
    const mine = await makePusher(app);
    const env = { TRANSIT_BENEFITS_KEY: keyOf(mine) };
    const file = await fileWith('liste.csv', Buffer.from(german, 'latin1'));
    const plan = await transit(['sync', file, '--dry-run'], { env });
    assert.equal(plan.code, 0, plan.stderr);
    assert.match(plan.stdout, /created +1 .*\n.*created +2 /);
    assert.match(plan.stdout, /2 employees: 2 created/);
    assert.equal((await mine.employees()).length, 0);
    const done = await transit(['sync', file, '--json'], { env });
    assert.equal(JSON.parse(done.stdout).state, 'succeeded');
    assert.match(done.stderr, /succeeded/);
    assert.deepEqual((await mine.employees()).map(({ firstName }) => firstName).toSorted(), ['Jörg', 'Zoë']);
  });

  it('asks before removals', async () => {
    const mine = await makePusher(app);
    await mine.sync('all', entries(3));
    const env = { TRANSIT_BENEFITS_KEY: keyOf(mine) };
    const file = await fileWith('fewer.json', JSON.stringify({ employees: entries(2) }));
    const count = async () => (await mine.employees()).length;
    assert.equal((await transit(['sync', file], { env })).code, 6);
    assert.equal((await transit(['sync', file], { env, typed: 'n\n' })).code, 6);
    assert.equal(await count(), 3);
    const agreed = await transit(['sync', file], { env, typed: 'y\n' });
    assert.equal(agreed.code, 0, agreed.stderr);
    assert.match(agreed.stderr, /1 employee is missing/);
    assert.match(agreed.stdout, /1 offboarded/);
    const again = await fileWith('one.json', JSON.stringify(entries(1)));
    assert.equal((await transit(['sync', again, '--yes'], { env })).code, 0);
  });

  it('changes a subscription after showing what happens, and lists who asked', async () => {
    const companyId = await makeCompany(app.db);
    const [id = 0] = await makeEmployees(app.db, companyId, [
      anEmployee({ first_name: 'Ada', email: 'ada@example.com' }),
    ]);
    const key = await makeKey(app.db, companyId, ['manage-subscriptions', 'view-employees']);
    const env = { TRANSIT_BENEFITS_KEY: keyOf({ key }) };
    const request = ['subscriptions', 'request', 'ada@example.com', '--action', 'subscribe', '--reason', 'New here'];
    const planned = await transit([...request, '--dry-run'], { env });
    assert.match(planned.stdout, /^Ada .*\naction {9}subscribe\n.*status then {4}scheduled/s);
    assert.equal((await transit(request, { env })).code, 6);
    assert.equal((await transit(request, { env, typed: 'n\n' })).code, 6);
    const requests = async () =>
      JSON.parse((await transit(['subscriptions', 'requests', String(id), '--json'], { env })).stdout);
    assert.deepEqual(await requests(), []);
    const applied = await transit(request, { env, typed: 'y\n' });
    assert.match(applied.stdout, /Done: request \d+/, applied.stderr);
    assert.equal((await requests())[0].reason, 'New here');
    assert.match((await transit(['subscriptions', 'requests', String(id)], { env })).stdout, /key +subscribe/);
    const refused = await transit(['subscriptions', 'request', String(id), '--action', 'resume', '--yes'], { env });
    assert.equal(refused.code, 1);
    for (const wrong of [[], ['--action', 'promote'], ['--action', 'pause', '--from', 'January']]) {
      assert.equal((await transit(['subscriptions', 'request', String(id), ...wrong], { env })).code, 2);
    }
  });

  it('maps columns as a file says', async () => {
    const mine = await makePusher(app);
    const env = { TRANSIT_BENEFITS_KEY: keyOf(mine) };
    const file = await fileWith('odd.csv', 'Schlüssel,Vorname,Nachname,E-Mail,Mail\n7,Ada,L,ada@example.com,z\n');
    assert.equal((await transit(['sync', file, '--dry-run'], { env })).code, 1);
    const map = await fileWith('map.json', JSON.stringify({ Schlüssel: 'hrId', Mail: null }));
    const plan = await transit(['sync', file, '--dry-run', '--map', map], { env });
    assert.equal(plan.code, 0, plan.stderr);
    const wrong = await fileWith('wrong.json', JSON.stringify({ Schlüssel: 'id' }));
    assert.equal((await transit(['sync', file, '--map', wrong], { env })).code, 2);
    const foreign = await fileWith('foreign.json', JSON.stringify({ Nummer: 'hrId' }));
    assert.match((await transit(['sync', file, '--map', foreign], { env })).stderr, /no column "Nummer"/);
  });

  it('names the row of a mistake, and the file that cannot be read', async () => {
    const file = await fileWith('wrong.csv', german.replace('zoe@example.com', 'zoe'));
    const { code, stderr } = await transit(['sync', file, '--integration', String(pusher.integrationId)]);
    assert.equal(code, 1);
    assert.match(stderr, /row 3, E-Mail-Adresse: /);
    assert.equal((await transit(['sync', join(folder, 'missing.csv')])).code, 2);
    assert.equal((await transit(['sync', await fileWith('empty.csv', '')])).code, 1);
  });

  it('ends with its own code if records failed', async () => {
    const mine = await makePusher(app);
    await mine.sync('all', entries(2));
    await makeEmployees(app.db, mine.companyId, [anEmployee({ email: 'taken@example.com' })]);
    const [one, two] = entries(2);
    const file = await fileWith('taken.json', JSON.stringify([{ ...one, email: 'taken@example.com' }, two]));
    const { code, stderr } = await transit(['sync', file], { env: { TRANSIT_BENEFITS_KEY: keyOf(mine) } });
    assert.equal(code, 5, stderr);
    assert.match(stderr, /1 of its records failed/);
  });
});

describe('transit events', () => {
  it('are followed until somebody stops it', async () => {
    const { output, ended, stop } = start(['events', 'follow', '--after', '0', '--json', '--type', 'sync-finished']);
    await until('an event is printed', () => output.stdout.includes('\n'));
    stop();
    assert.equal(await ended, 0);
    assert.equal(JSON.parse(output.stdout.split('\n')[0] ?? '').type, 'sync-finished');
  });

  it('are forwarded to a server, signed', async () => {
    const received: string[] = [];
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const { type } = await verifyWebhook({ headers: request.headers, body }, secret);
      received.push(type);
      response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const forwardTo = ['--forward-to', `http://127.0.0.1:${port}`, '--secret', secret];
    const { output, ended, stop } = start(['webhooks', 'listen', ...forwardTo]);
    await until('it waits', () => output.stderr.includes('Waiting'));
    await pusher.sync('second', subscribed(4));
    await until('the event is forwarded', () => output.stdout.includes('sync-finished  204'));
    stop();
    assert.equal(await ended, 0);
    assert(received.includes('employee-created'));
    server.close();
  });
});
