import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { useApp } from '../../support/app.ts';
import { findProgram } from '../../support/installed-programs.ts';
import { makePusher, type Pusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const main = new URL('../../../sdk/src/cli/main.ts', import.meta.url).href;
const program = await findProgram('script');
const skip = program === undefined && 'script is not installed, so there is no terminal (Debian: apt install bsdutils)';

/** Runs the command line at a real terminal, which `script` provides: its input is what somebody types. */
describe('transit at a terminal', { skip }, () => {
  const app = useApp();
  let folder: string;
  let pusher: Pusher;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transit-terminal-'));
    await writeFile(
      join(folder, 'transit.mjs'),
      `import { main } from '${main}';\nprocess.exitCode = await main('1.2.3');\n`,
    );
    pusher = await makePusher(app);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Types each answer when its question has appeared. Returns what the screen showed, and the exit code. */
  async function converse(words: string, answers: [question: string, typed: string][]) {
    const command = `'${process.execPath}' transit.mjs ${words}`;
    const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm' };
    const child = spawn(program ?? '', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: folder,
      env,
    });
    let screen = '';
    child.stdout.on('data', (chunk) => {
      screen += chunk;
    });
    const closed = once(child, 'close');
    for (const [question, typed] of answers) {
      await until(`"${question}" is asked`, () => screen.includes(question) || child.exitCode !== null);
      assert(screen.includes(question), screen);
      child.stdin.write(typed);
    }
    const [code] = await closed;
    return { code, screen };
  }

  it('asks for address, username and password, and does not show the password', async () => {
    const { username, password } = pusher.key;
    const { code, screen } = await converse('login', [
      ['Address of the service [http://localhost:3000]: ', `${app.url}\r`],
      ['Username of the API key: ', `${username}\r`],
      ['Password: ', `${password}\r`],
    ]);
    assert.equal(code, 0, screen);
    assert.match(screen, /Signed in to Company/);
    assert(screen.includes(username) && !screen.includes(password), screen);
    const stored = JSON.parse(await readFile(join(folder, '.config/transit-benefits/keys.json'), 'utf8'));
    assert.deepEqual(stored.default, { url: app.url, key: `${username}:${password}` });
    assert.match((await converse('whoami', [])).screen, /view-employees/);
  });

  it('ends in order when somebody presses Ctrl-C or Ctrl-D at a question', async () => {
    for (const question of ['Username of the API key: ', 'Password: ']) {
      const before: [string, string][] = question === 'Password: ' ? [['Username of the API key: ', 'somebody\r']] : [];
      const interrupted = await converse(`login --url ${app.url}`, [...before, [question, '\u0003']]);
      assert.deepEqual(
        [interrupted.code, interrupted.screen.includes('Interrupted.')],
        [130, true],
        interrupted.screen,
      );
      const ended = await converse(`login --url ${app.url}`, [...before, [question, '\u0004']]);
      assert.deepEqual([ended.code, ended.screen.includes('--key-stdin')], [2, true], ended.screen);
    }
  });
});
