import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '../..');
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
