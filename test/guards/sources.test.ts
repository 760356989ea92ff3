import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '../..');

/** Matches a call of a logger up to the end of the statement or the argument. */
const call = /\blog\??\.(?:info|warn|error|fatal)\(([\s\S]*?)\)(?:[;,]\n|\n| *:|\))/g;

const literal = /'((?:[^'\\\n]|\\.)*)'|`([^`$]*)/g;

/** Returns the messages that the source files log: the last text of each call. */
function listMessages(): { file: string; message: string }[] {
  return globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(call)].map(([, words = '']) => {
      const texts = [...words.matchAll(literal)].map(([, quoted, template]) => quoted ?? template ?? '');
      return { file, message: (texts.findLast((text) => text !== '') ?? '').replaceAll('`', '').trim() };
    }),
  );
}

describe('Log lines', () => {
  it('are all listed in docs/operate/monitor.md', () => {
    const page = readFileSync(join(root, 'docs/operate/monitor.md'), 'utf8');
    const messages = listMessages();
    assert(messages.length > 30, `only ${messages.length} calls were found`);
    const missing = messages.filter(({ message }) => message === '' || !page.includes(`\`${message}\``));
    assert.deepEqual(missing, []);
  });
});

describe('statements of the service', () => {
  const root = new URL('../../src/', import.meta.url).pathname;
  /** Matches `select *`, `select e.*`, `returning *` and the Kysely methods for them. `count(*)` names no columns. */
  const allColumns = /selectAll\(|returningAll\(|\b(?:select|returning)\s+(?:[^;`]*,\s*)?(?:"?\w+"?\.)?\*/i;

  it('are detected if they select all columns', () => {
    const examples = ['select * from t', 'select e.id, l.* from t', 'RETURNING *', "db.selectFrom('t').selectAll()"];
    for (const text of examples) assert.match(text, allColumns);
    for (const text of ['select count(*) from t', 'select e.id from t']) assert.doesNotMatch(text, allColumns);
  });

  it('name their columns, so that a column added by a newer version changes no result', async () => {
    const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'));
    assert(files.length > 100);
    for (const file of files) {
      const text = await readFile(join(root, file), 'utf8');
      assert.doesNotMatch(text, allColumns, `src/${file} selects all columns.`);
    }
  });
});

const folder = join(root, 'deploy/prometheus');
const rules = await readFile(join(folder, 'rules.yml'), 'utf8');

const alerts = [...rules.matchAll(/- alert: (\w+)\n(.*?)(?=\n {6}- alert|\n {2}- name|$(?![\s\S]))/gms)].map(
  ([, name = '', text = '']) => ({ name, text }),
);

describe('The alert rules', () => {
  it('have a test that fires and one that does not, for every alert', async () => {
    const tests = await readFile(join(folder, 'rules.test.yml'), 'utf8');
    assert(alerts.length >= 10);
    for (const { name } of alerts) {
      const expected = [...tests.matchAll(new RegExp(`alertname: ${name}\\n *exp_alerts:(.*)`, 'g'))];
      assert(
        expected.some(([, list]) => list === ''),
        `${name} never fires`,
      );
      assert(
        expected.some(([, list]) => list === ' []'),
        `${name} always fires`,
      );
    }
  });

  it('say what happened, what it means and what to do, with a section of the documentation', async () => {
    const page = await readFile(join(root, 'docs/operate/monitor.md'), 'utf8');
    for (const { name, text } of alerts) {
      for (const field of ['summary', 'description', 'action']) {
        assert.match(text, new RegExp(`^ {10}${field}: \\S.{20,}`, 'm'), `${name} has no ${field}`);
      }
      assert.match(text, new RegExp(`runbook: docs/operate/monitor\\.md#${name.toLowerCase()}$`, 'm'));
      assert(page.includes(`\n### ${name}\n`), `${name} is not documented`);
    }
  });
});
