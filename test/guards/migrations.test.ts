import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findMigrationProblems } from '../../scripts/check-migrations.ts';
import { withFolder } from '../support/process.ts';

/** Returns what the check reports about migrations with these texts, numbered from 0016. */
const check = (...texts: string[]) =>
  withFolder(async (folder) => {
    for (const [index, text] of texts.entries()) await writeFile(join(folder, `00${16 + index}-new.sql`), text);
    return (await findMigrationProblems(folder)).map(
      ({ file, line, problem }) => `${file.slice(11, 15)}:${line} ${problem}`,
    );
  });

const alone = '-- migrate: no transaction\n';
const notNull = 'alter table syncs add constraint c check (note is not null) not valid';

describe('the check of migrations', () => {
  it('accepts the migrations of this version', async () => {
    assert.deepEqual(await findMigrationProblems(), []);
  });

  const accepted: Record<string, string[]> = {
    'a new table with indexes and constraints': [
      `create table absences (company_id bigint not null, id bigint generated always as identity, n int check (n > 0),
        primary key (company_id, id), foreign key (company_id) references companies on delete cascade);
      create index absences_by_n on absences (company_id, n);
      alter table absences add constraint positive check (n > 1);`,
    ],
    'a column with a constant': [
      `alter table syncs add column a text not null default 'x';
      alter table syncs add column b timestamptz not null default now();
      alter table syncs add column c text[] not null default '{}'::text[];
      alter table syncs add column d date;`,
    ],
    'an index that is created concurrently': [
      `${alone}create index concurrently if not exists syncs_by_note on syncs (company_id, note);`,
    ],
    'an index that is dropped concurrently': [`${alone}drop index concurrently if exists syncs_by_note;`],
    'a constraint that is validated later': [
      'alter table syncs add constraint c check (length(note) < 9) not valid;',
      'alter table syncs validate constraint c;',
    ],
    'not null after a validated check': [
      `${notNull};`,
      'alter table syncs validate constraint c;',
      'alter table syncs alter column note set not null; alter table syncs drop constraint c;',
    ],
    'the removal of what no release reads': ['-- migrate: unread since 0.2.0\nalter table syncs drop column note;'],
    'a change of few rows': ['-- One row per environment.\n-- migrate: few rows\nupdate environment set name = name;'],
  };
  for (const [what, texts] of Object.entries(accepted)) {
    it(`accepts ${what}`, async () => assert.deepEqual(await check(...texts), []));
  }

  const rejected: [what: string, text: string, problem: RegExp][] = [
    [
      'a default that differs per row',
      'alter table syncs add a uuid default gen_random_uuid()',
      /default that may differ/,
    ],
    ['a serial column', 'alter table syncs add a bigserial', /values differ per row/],
    ['an identity column', 'alter table syncs add a int generated always as identity', /values differ per row/],
    ['a generated column', 'alter table syncs add a int generated always as (1 + 1) stored', /values differ per row/],
    ['a column without a default', 'alter table syncs add a int not null', /not null without a default/],
    ['a column with a check', 'alter table syncs add a int check (a > 0)', /column with a constraint, which Citus/],
    ['a column with a reference', 'alter table syncs add a int references companies', /column with a constraint/],
    ['several changes at once', 'alter table syncs add a int, add b int', /several changes in one ALTER TABLE/],
    ['a change of type', 'alter table syncs alter note type varchar(9)', /changes the type/],
    ['not null without a check', 'alter table syncs alter note set not null', /sets not null/],
    ['not null before validation', `${notNull}; alter table syncs alter note set not null`, /sets not null/],
    ['a check that is validated at once', 'alter table syncs add constraint c check (note > 1)', /Add it not valid/],
    [
      'a foreign key that is validated at once',
      'alter table syncs add constraint c foreign key (company_id) references companies',
      /Add it not valid/,
    ],
    ['validation in the same transaction', `${notNull}; alter table syncs validate constraint c`, /next migration/],
    [
      'a unique constraint',
      'alter table syncs add constraint c unique (company_id, note)',
      /unique index concurrently/,
    ],
    [
      'on delete set null in a new table',
      'create table t (company_id bigint, e bigint, foreign key (company_id, e) references x on delete set null (e))',
      /key with company_id on delete/,
    ],
    [
      'on delete set null in an existing table',
      'alter table syncs add constraint c foreign key (company_id, e) references x on delete set null (e) not valid',
      /key with company_id on delete/,
    ],
    ['an index under a lock', 'create index i on syncs (note)', /Create it concurrently/],
    ['an index in a transaction', 'create index concurrently if not exists i on syncs (note)', /no transaction/],
    ['an index that cannot be repeated', `${alone}create index concurrently i on syncs (note)`, /if not exists NAME/],
    ['a dropped index under a lock', 'drop index i', /Drop it concurrently/],
    ['a dropped index that cannot be repeated', `${alone}drop index concurrently i`, /if exists/],
    [
      'several statements without a transaction',
      `${alone}create index concurrently if not exists i on syncs (note); select 1`,
      /must consist of one statement/,
    ],
    ['a dropped column', 'alter table syncs drop column note', /unread since X\.Y\.Z/],
    ['a dropped table', 'drop table syncs', /unread since X\.Y\.Z/],
    ['a dropped function', 'drop function audit_subject', /unread since X\.Y\.Z/],
    ['a renamed column', 'alter table syncs rename note to remark', /renames what the previous release/],
    ['a renamed table', 'alter table syncs rename to pushes', /renames what the previous release/],
    ['a removal too early', '-- migrate: unread since 99.0.0\ndrop table syncs', /not released yet/],
    ['a change of all rows', "update syncs set note = ''", /changes rows of an existing table/],
    ['a deletion of rows', 'delete from syncs', /changes rows of an existing table/],
    ['a rewrite', 'vacuum full syncs', /VacuumStmt, which is not known/],
    ['a table lock', 'lock table syncs', /LockStmt, which is not known/],
    ['an unlogged table made logged', 'alter table syncs set logged', /AT_SetLogged, which is not known/],
    ['a trigger', 'create trigger t before insert on syncs execute function f()', /CreateTrigStmt/],
    ['code that cannot be read', 'do $$ begin end $$', /DoStmt/],
  ];
  for (const [what, text, problem] of rejected) {
    it(`reports ${what}`, async () => {
      const [first = 'nothing', ...others] = await check(`${text};\n`);
      assert.match(first, problem);
      assert.deepEqual(others, []);
    });
  }

  it('names the line, also after comments in other alphabets', async () => {
    const reported = await check('-- Größe\nselect 1;\n\n-- Next: ü\ndrop table syncs;\n');
    assert.match(reported.join(), /^0016:5 drops/);
  });

  it('reports two migrations with one number, and names of former releases', () =>
    withFolder(async (folder) => {
      for (const name of ['0016-a.sql', '0016-b.sql', '0017_c.sql']) await writeFile(join(folder, name), 'select 1;');
      assert.deepEqual(await findMigrationProblems(folder), [
        { file: 'migrations/0016-b.sql', line: 1, problem: 'has the number 0016 of another' },
        { file: 'migrations/0017_c.sql', line: 1, problem: 'needs a hyphen after its number' },
      ]);
    }));
});
