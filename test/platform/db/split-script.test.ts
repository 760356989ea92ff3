import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitScript } from '../../../src/platform/db/split-script.ts';

describe('The statements of a migration', () => {
  it('end where PostgreSQL ends them', async () => {
    const text = `-- Größe; nothing ends here
      comment on table things is 'größer; kleiner';
      create function one() returns integer language plpgsql as $body$ begin return 1; end; $body$;
      /* a; b */ select ";" from things`;
    assert.deepEqual(await splitScript(text), [
      "comment on table things is 'größer; kleiner'",
      'create function one() returns integer language plpgsql as $body$ begin return 1; end; $body$',
      'select ";" from things',
    ]);
  });

  it('are none in a script that has only comments', async () => {
    assert.deepEqual(await splitScript('-- nothing'), []);
  });
});
