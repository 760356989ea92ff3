import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertPlannable } from '../support/statements.ts';

describe('statements that a Citus cluster refuses', () => {
  const refused = {
    'a time in DO UPDATE SET': 'insert into mails (key) values ($1) on conflict (key) do update\n set sent_at = now()',
    'a time in RETURNING': 'update mails m set attempts = 1 where m.key = $1 returning m.expires_at <= now()',
    'a time in COALESCE': 'update mails m set finished_at = coalesce(m.finished_at, now()) where m.key = $1',
    'a time in CASE': "update mails m set finished_at = case when m.state = 'sent' then now() end where m.key = $1",
    'a CASE that compares': 'update mails m set state = case m.state when $1 then $2 end where m.key = $3',
    'an object of columns': "update users u set views = u.views || jsonb_build_object('a', u.views) where u.id = $1",
  };
  for (const [name, text] of Object.entries(refused)) {
    it(`are found before one sees them: ${name}`, () => {
      assert.throws(() => assertPlannable(text), /^AssertionError.*: Citus refuses /);
    });
  }

  const planned = {
    'the time as a value of its own':
      'update mails m set finished_at = now(), state = case when m.state = $1 then $2 end',
    'the new row': 'insert into mails (key) values ($1) on conflict (key) do update set sent_at = excluded.sent_at',
    'a time in a condition': 'delete from mails m where m.finished_at < now() - $1::interval returning m.key',
    'a table of the coordinator':
      'insert into rate_limit_windows values ($1) on conflict do update set ends_at = now()',
  };
  for (const [name, text] of Object.entries(planned)) {
    it(`do not include ${name}`, () => assert.doesNotThrow(() => assertPlannable(text)));
  }
});

describe('the number of rows that a statement has inserted', () => {
  const misread = /\bnumAffectedRows\b[^;`]*= await sql(?:<[^`]*>)?`\s*insert[^`]*\bselect\b[^`]*\bon conflict\b/;

  it('is not taken from the server if rows can be left out: Citus counts these too', () => {
    const root = join(import.meta.dirname, '../../src');
    const files = globSync('**/*.ts', { cwd: root });
    assert(files.length > 300);
    assert.deepEqual(
      files.filter((file) => misread.test(readFileSync(join(root, file), 'utf8'))),
      [],
    );
  });

  it('is noticed in a source file', () => {
    const source = 'const { numAffectedRows } = await sql`insert into a select 1 on conflict do nothing`.execute(tx);';
    assert.match(source, misread);
    assert.doesNotMatch(source.replace(' on conflict do nothing', ''), misread);
  });
});
