import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = new URL('../../src/', import.meta.url).pathname;

/** Matches `select *`, `select e.*`, `returning *` and the Kysely methods for them. `count(*)` names no columns. */
const allColumns = /selectAll\(|returningAll\(|\b(?:select|returning)\s+(?:[^;`]*,\s*)?(?:"?\w+"?\.)?\*/i;

describe('statements of the service', () => {
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
