import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { readSections } from '../../harness/scenario.ts';

const text = `# Last published results

## \`npm run bench\`

### reads

Many reads.

### sync

A roster.

## \`npm run torture\`

### api-killed

The API killed.
`;

describe('published results', () => {
  it('keep the section of every scenario, by command', () => {
    assert.deepEqual(
      [...readSections(text, 'bench')],
      [
        ['reads', '### reads\n\nMany reads.\n'],
        ['sync', '### sync\n\nA roster.\n'],
      ],
    );
    assert.deepEqual([...readSections(text, 'torture').keys()], ['api-killed']);
    assert.equal(readSections('', 'bench').size, 0);
  });

  it('say of every section when and on which machine it was measured', async () => {
    const published = await readFile(new URL('../../bench/RESULTS.md', import.meta.url), 'utf8');
    const sections = ['bench', 'torture'].flatMap((command) => [...readSections(published, command)]);
    assert(sections.length > 20);
    const without = sections.filter(
      ([, section]) => !/On \d{4}-\d\d-\d\d, \d+ cores \(.+\), Node [\d.]+, /.test(section),
    );
    assert.deepEqual(
      without.map(([name]) => name),
      [],
    );
  });
});
