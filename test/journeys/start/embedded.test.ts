import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { OperatorError } from '../../../src/platform/config/operator-error.ts';
import { type EmbeddedServer, openEmbedded } from '../../../src/platform/db/embedded/index.ts';
import { until } from '../../support/until.ts';

const isRoot = process.getuid?.() === 0;
const postmasters = new Set<number>();

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const readPid = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Returns whether the process runs. A zombie counts as dead: its new parent may reap it late. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

/** Undoes in reverse order, unlike `t.after`, so that servers end before their folder is deleted. */
const undoing = new WeakMap<TestContext, (() => Promise<unknown>)[]>();
function undoAfter(t: TestContext, undo: () => Promise<unknown>): void {
  const known = undoing.get(t);
  if (known !== undefined) {
    known.push(undo);
    return;
  }
  const undos = [undo];
  undoing.set(t, undos);
  t.after(async () => {
    for (const each of undos.toReversed()) await each();
  });
}

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  undoAfter(t, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function open(t: TestContext, dataDir: string, role: 'serve' | 'command'): Promise<EmbeddedServer> {
  const server = await openEmbedded({ dataDir, role });
  postmasters.add(readPid(dataDir));
  undoAfter(t, () => server.stop());
  return server;
}

function forkOwner(t: TestContext, dataDir: string, role: 'serve' | 'command'): ChildProcess {
  const child = fork(join(import.meta.dirname, '../../support/embedded-owner.ts'), [dataDir, role]);
  undoAfter(t, () => release(child));
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function release(child: ChildProcess): Promise<void> {
  if (child.connected) child.disconnect();
  await ended(child);
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await ended(child);
}

function readMessage(child: ChildProcess): Promise<{ url?: string; problem?: string }> {
  return new Promise((resolve, reject) => {
    child.once('message', (response) => resolve(response as { url?: string; problem?: string }));
    child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it responded`)));
  });
}

async function forkOpened(t: TestContext, dataDir: string, role: 'serve' | 'command') {
  const child = forkOwner(t, dataDir, role);
  const { url, problem } = await readMessage(child);
  assert.ok(url !== undefined, problem ?? '');
  postmasters.add(readPid(dataDir));
  return { child, url };
}

after(() => {
  assert.deepEqual([...postmasters].filter(isRunning), [], 'no PostgreSQL may be left behind');
});

describe('the embedded PostgreSQL', () => {
  it('creates a database on the first start and keeps its rows over a restart', async (t) => {
    const dataDir = join(await makeFolder(t), 'not', 'there', 'yet');
    const first = await open(t, dataDir, 'serve');
    await query(first.adminUrl, 'create table kept (word text); insert into kept values ($$ä$$)');
    const [settings] = await query(
      first.adminUrl,
      `select current_database() as database, datcollate, datlocale, pg_encoding_to_char(encoding) as encoding,
              current_setting('data_checksums') as checksums, current_setting('fsync') as fsync
       from pg_database where datname = current_database()`,
    );
    assert.deepEqual(settings, {
      database: 'transit',
      datcollate: 'C',
      datlocale: 'C.UTF-8',
      encoding: 'UTF8',
      checksums: 'on',
      fsync: 'on',
    });
    await first.stop();
    assert.equal((await stat(join(dataDir, 'postgres.password'))).mode & 0o777, 0o600);
    const second = await open(t, dataDir, 'serve');
    assert.deepEqual(await query(second.adminUrl, 'select word from kept'), [{ word: 'ä' }]);
    await assert.rejects(query(second.adminUrl.replace(/:[^:@]+@/, ':wrong@'), 'select 1'), { code: '28P01' });
  });

  it('lets a command join a server and leaves that server running', async (t) => {
    const dataDir = await makeFolder(t);
    const server = await open(t, dataDir, 'serve');
    const command = await open(t, dataDir, 'command');
    assert.equal(command.adminUrl, server.adminUrl);
    await command.stop();
    assert.equal((await query(server.adminUrl, 'select 1 as one'))[0]?.one, 1);
  });

  it('leaves a command that is at work its PostgreSQL when the server stops', async (t) => {
    const dataDir = await makeFolder(t);
    const server = await open(t, dataDir, 'serve');
    const pid = readPid(dataDir);
    const command = await open(t, dataDir, 'command');
    await server.stop();
    assert.equal((await query(command.adminUrl, 'select 1 as one'))[0]?.one, 1);
    await command.stop();
    assert.equal(isRunning(pid), false);
  });

  it('stays known as a member when PostgreSQL cuts everybody off after a crash', async (t) => {
    const dataDir = await makeFolder(t);
    const server = await open(t, dataDir, 'serve');
    const members = `select pid from pg_stat_activity where application_name = 'transit serve ${process.pid}'`;
    const [member] = await query(server.adminUrl, members);
    process.kill(Number(member?.pid), 'SIGKILL');
    await until('the process is a member again', async () => {
      const rows = await query(server.adminUrl, members).catch(() => []);
      return rows.length === 1 && rows[0]?.pid !== member?.pid;
    });
    await assert.rejects(openEmbedded({ dataDir, role: 'serve' }), /already serving/);
  });

  it('serves two commands at once in an empty folder and ends with the last', async (t) => {
    const dataDir = await makeFolder(t);
    const [one, two] = await Promise.all([forkOpened(t, dataDir, 'command'), forkOpened(t, dataDir, 'command')]);
    assert.equal(one.url, two.url);
    const pid = readPid(dataDir);
    await release(one.child);
    await query(two.url, 'create table made (id int)');
    await release(two.child);
    assert.equal(isRunning(pid), false);
    const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'));
    assert.deepEqual(leftovers, []);
  });

  it('replaces a PostgreSQL whose owner was killed and keeps what was committed', async (t) => {
    const dataDir = await makeFolder(t);
    const { child, url } = await forkOpened(t, dataDir, 'serve');
    await query(url, 'create table kept (id int); insert into kept values (7)');
    const orphan = readPid(dataDir);
    await kill(child);
    const server = await open(t, dataDir, 'serve');
    assert.equal(isRunning(orphan), false);
    assert.deepEqual(await query(server.adminUrl, 'select id from kept'), [{ id: 7 }]);
  });

  it('ends when its owner is killed', async (t) => {
    const dataDir = await makeFolder(t);
    const { child } = await forkOpened(t, dataDir, 'serve');
    const orphan = readPid(dataDir);
    await kill(child);
    await until('PostgreSQL has ended', () => !isRunning(orphan));
  });

  it('stays for a command when its owner is killed, and ends when the command is killed too', async (t) => {
    const dataDir = await makeFolder(t);
    const owner = await forkOpened(t, dataDir, 'serve');
    const command = await forkOpened(t, dataDir, 'command');
    const orphan = readPid(dataDir);
    await kill(owner.child);
    await until('the killed owner is gone from the list of members', async () => {
      const rows = await query(command.url, `select from pg_stat_activity where application_name ~ '^transit serve'`);
      return rows.length === 0;
    });
    assert.equal(isRunning(orphan), true);
    await kill(command.child);
    await until('PostgreSQL has ended', () => !isRunning(orphan));
  });

  it('refuses a second server in the same folder', async (t) => {
    const dataDir = await makeFolder(t);
    const { child } = await forkOpened(t, dataDir, 'serve');
    await assert.rejects(openEmbedded({ dataDir, role: 'serve' }), (error) => {
      assert.ok(error instanceof OperatorError);
      assert.equal(
        error.message,
        `Another process (pid ${child.pid}) is already serving from ${dataDir}. ` +
          'Stop it first, or set DATA_DIR to another folder.',
      );
      return true;
    });
  });

  it('lets exactly one of two servers win that start at the same moment', async (t) => {
    const dataDir = await makeFolder(t);
    const children = [forkOwner(t, dataDir, 'serve'), forkOwner(t, dataDir, 'serve')];
    const responses = await Promise.all(children.map(readMessage));
    postmasters.add(readPid(dataDir));
    assert.equal(responses.filter(({ url }) => url !== undefined).length, 1);
    assert.match(responses.find(({ problem }) => problem)?.problem ?? '', /^Another process \(pid \d+\) is already/);
  });

  it('waits with a server until a command has finished', async (t) => {
    const dataDir = await makeFolder(t);
    const command = await open(t, dataDir, 'command');
    const pid = readPid(dataDir);
    const waiting = open(t, dataDir, 'serve');
    await query(command.adminUrl, 'create table made (id int)');
    await command.stop();
    const server = await waiting;
    assert.notEqual(readPid(dataDir), pid);
    assert.deepEqual(await query(server.adminUrl, 'select * from made'), []);
  });

  it('starts over a postmaster.pid whose number belongs to another process', async (t) => {
    const dataDir = await makeFolder(t);
    const { child } = await forkOpened(t, dataDir, 'serve');
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const lines = await readFile(pidFile, 'utf8');
    const postmaster = readPid(dataDir);
    process.kill(postmaster, 'SIGKILL');
    await until('the killed PostgreSQL is gone', () => !isRunning(postmaster));
    await kill(child);
    // PostgreSQL accepts the process id of its own parent, but not that of an unrelated process of the same user.
    const other = forkOwner(t, join(dataDir, 'elsewhere'), 'command');
    await readMessage(other);
    postmasters.add(readPid(join(dataDir, 'elsewhere')));
    for (const pid of [process.pid, other.pid, readPid(join(dataDir, 'elsewhere'))]) {
      await writeFile(pidFile, lines.replace(String(postmaster), String(pid)));
      const server = await open(t, dataDir, 'serve');
      assert.equal((await query(server.adminUrl, 'select 1 as one'))[0]?.one, 1);
      await server.stop();
    }
    assert.equal(other.exitCode ?? other.signalCode, null, 'the other process is running');
  });

  it('starts in a folder where the first start was killed during initdb', async (t) => {
    const dataDir = await makeFolder(t);
    const child = forkOwner(t, dataDir, 'serve');
    const unfinished = async () => (await readdir(dataDir)).find((name) => name.startsWith('postgres.new-'));
    await until('initdb is at work', async () => {
      const name = await unfinished();
      return name !== undefined && (await readdir(join(dataDir, name, 'data')).catch(() => [])).length > 0;
    });
    await kill(child);
    const server = await open(t, dataDir, 'serve');
    assert.equal((await query(server.adminUrl, 'select 1 as one'))[0]?.one, 1);
  });

  it('runs as root in a folder that only root may enter', { skip: !isRoot && 'needs root' }, async (t) => {
    const folder = await makeFolder(t);
    await chmod(folder, 0o700);
    const dataDir = join(folder, 'data');
    const server = await open(t, dataDir, 'serve');
    assert.notEqual((await stat(join(dataDir, 'postgres'))).uid, 0);
    assert.equal((await query(server.adminUrl, 'select 1 as one'))[0]?.one, 1);
  });

  it('says in one line why a folder cannot be used', async (t) => {
    const folder = await makeFolder(t);
    await writeFile(join(folder, 'file'), '');
    await mkdir(join(folder, 'full', 'postgres', 'photos'), { recursive: true });
    await mkdir(join(folder, 'old', 'postgres'), { recursive: true });
    await writeFile(join(folder, 'old', 'postgres', 'PG_VERSION'), '17\n');
    if (isRoot) for (const name of ['full', 'old']) await chown(join(folder, name, 'postgres'), 65534, 65534);
    const reasons = {
      'file/below': /cannot be used \(ENOTDIR.*set DATA_DIR/,
      file: /cannot be used \(EEXIST.*set DATA_DIR/,
      full: /does not contain a PostgreSQL cluster/,
      old: /created by PostgreSQL 17, but this program contains version 18/,
    };
    for (const [name, reason] of Object.entries(reasons)) {
      await assert.rejects(openEmbedded({ dataDir: join(folder, name), role: 'command' }), (error) => {
        assert.ok(error instanceof OperatorError, String(error));
        assert.match(error.message, reason);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      });
    }
  });
});
