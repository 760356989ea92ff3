import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { runInProcess } from '../support/cli.ts';
import { listCommands } from '../support/command-words.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeCompany } from '../support/factories.ts';

const commands = listCommands();

const readVersion = async () =>
  JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).version as string;

describe('the help of the command line', () => {
  it('exists for every command, with a description, its options and an example', async () => {
    assert(commands.length > 30);
    for (const words of commands) {
      const { code, stdout, stderr } = await runInProcess([...words, '--help']);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      const [usage, , description] = stdout.split('\n');
      assert.match(usage ?? '', new RegExp(`^Usage: npm run -s cli -- ${words.join(' ')} `));
      assert.match(description ?? '', /^[A-Z].+/, words.join(' '));
      assert.match(stdout, /\nOptions:\n/);
      assert.match(stdout, new RegExp(`\nExamples:\n  npm run -s cli -- ${words.join(' ')}`));
    }
  });

  it('describes every option and names what is required and which values are possible', async () => {
    const { stdout } = await runInProcess(['integration', 'create', '--help'], {});
    assert.match(stdout, /--name <name> +Name of the integration \(required\)/);
    assert.match(stdout, /--type <type> +[^-]*\(choices: "hr-integration",\s+"api-integration"\)/);
  });

  it('shows every command and the exit codes at the top', async () => {
    const { code, stdout } = await runInProcess(['--help']);
    assert.equal(code, 0);
    for (const [first = '', second] of commands) {
      assert.match(stdout, new RegExp(`\n  ${first} (?:.|\n {10})*${second ?? ''}`), `${first} ${second}`);
    }
    assert.match(stdout, /\nExit codes:\n {2}0 .*\n {2}1 /);
    assert.equal((await runInProcess(['help'])).stdout, stdout);
  });

  it('prints the version of the package', async () => {
    assert.deepEqual(await runInProcess(['--version']), { code: 0, stdout: `${await readVersion()}\n`, stderr: '' });
  });
});

describe('a mistake at the command line', () => {
  const mistakes: [line: string, message: RegExp][] = [
    ['compny list', /^Unknown command 'compny'\. Did you mean company\? Run "npm run -s cli -- --help"/],
    ['company lst', /^Unknown command 'lst'\. Did you mean list\? Run "npm run -s cli -- company --help"/],
    ['user reset-pasword', /Did you mean reset-password\?/],
    ['company set 1 --cutoff-day 5', /^Unknown option '--cutoff-day'\. Did you mean --cut-off-day\? /],
    ['serve --prot 1', /^Unknown option '--prot'\. Run "npm run -s cli -- serve --help"/],
    ['company list all', /^Too many arguments for 'list'\. Expected 0 arguments but got 1\. /],
    ['company show 1 2', /^Too many arguments for 'show'/],
    ['company', /^"company" needs a command: create, set, show, list\. Run "npm run -s cli -- company --help"/],
    ['company show', /^The id of the company is missing\. Run "npm run -s cli -- company show --help"/],
    ['company show one', /^The id of the company must be a number, but is "one"\./],
    ['company create --name', /^Option '--name <name>' argument missing\. /],
    ['company create --name --plan x', /^The value of --name is missing: "--plan" follows it\. /],
    ['company create --plan deferred-plan', /^--name is missing\. Run /],
    ['company list --json --table', /^Option '--json' cannot be used with option '--table'\. /],
    ['openapi --table', /^Unknown option '--table'\./],
  ];

  for (const [line, message] of mistakes) {
    it(`is reported in one line: ${line}`, async () => {
      const { code, stdout, stderr } = await runInProcess(line.split(' '));
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
      assert.match(stderr, /^[^\n]+\n$/);
      assert.match(stderr, message);
    });
  }

  it('in a setting is reported in one line too', async () => {
    const { code, stderr } = await runInProcess(['company', 'list'], { env: { PORT: 'http' } });
    assert.deepEqual([code, stderr], [1, 'PORT must be a whole number from 0 to 65535, but is "http".\n']);
  });
});

describe('the output of a command', () => {
  it('is a table at a terminal, JSON elsewhere, and as --json or --table request', async () => {
    const { db, url, drop } = await createTestDatabase();
    try {
      const id = await makeCompany(db, 'Acme');
      const env = { DATABASE_URL: url };
      const list = async (words: string[], terminal: boolean) => {
        const { code, stdout, stderr } = await runInProcess(['company', 'list', ...words], { env, terminal });
        assert.deepEqual([code, stderr], [0, '']);
        return stdout;
      };
      const json = await list([], false);
      const table = await list([], true);
      assert.match(json, /^\[\{.*\}\]\n$/);
      const [company] = JSON.parse(json);
      assert.deepEqual([company.id, company.name], [id, 'Acme']);
      const [heading = '', row = '', ...rest] = table.split('\n');
      assert.match(heading, /Id +Name/);
      assert.match(row, new RegExp(`${id} +Acme`));
      assert.deepEqual(rest, ['']);
      assert.equal(await list(['--json'], true), json);
      assert.equal(await list(['--table'], false), table);
    } finally {
      await drop();
    }
  });
});
