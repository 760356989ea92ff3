import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { connectDatabase } from '../../../src/platform/db/database.ts';
import { SharedRows } from '../../../src/platform/db/shared-rows.ts';
import { useDatabase } from '../../support/database.ts';
import { useResource } from '../../support/prepare.ts';

describe('Rows that have values in common', () => {
  const place = useDatabase();
  const database = useResource(() => connectDatabase({ url: place.adminUrl, max: 1, applicationName: 'shared rows' }));
  before(() =>
    sql`create table things (at bigint generated always as identity, id bigint, note text, kind text, tags jsonb)`.execute(
      database.db,
    ),
  );

  it('are inserted in their order, each with its own values and those that it shares', async () => {
    const kinds = ['plain', null, 'with "quotes" and \\', 'plain'];
    const things = Array.from({ length: 2_000 }, (_, id) => ({
      ...{ id, note: id % 3 === 0 ? null : `thing ${id}`, kind: kinds[id % kinds.length], tags: [id % 5, 'ü'] },
    }));
    const rows = new SharedRows({ id: 'bigint', note: 'text' });
    assert.equal(rows.isEmpty, true);
    for (const { id, note, ...shared } of things) rows.add({ id, note }, shared);
    assert.equal(rows.isEmpty, false);
    await sql`insert into things (id, note, kind, tags) select r.id, r.note, s.kind, s.tags
      from ${rows.join(sql`kind text, tags jsonb`)}`.execute(database.db);
    const stored = await sql`select id, note, kind, tags from things order by at`.execute(database.db);
    assert.deepEqual(stored.rows, things);
  });
});
