import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Credentials, TestApp } from '../app.ts';
import { answersHead, refusesOtherMethods } from './every-list.ts';
import { assertInvalid, assertProblem, withoutRequestId } from './problems.ts';

export interface Addressed {
  app: TestApp;
  key: Credentials;
  pathOf(id: number | string): string;
  id: number;
  /** The id of a record of another company. */
  foreignId: number;
}

/** Defines the tests of ids in a path. Their handling is the same for everything that is found by its id. */
export function isFoundByItsId(subject: () => Addressed): void {
  const get = (id: number | string, query = '') => {
    const { app, key, pathOf } = subject();
    return app.request(`${pathOf(id)}${query}`, { key });
  };

  it('treats the id of another company exactly like an unknown one', async () => {
    const foreign = await get(subject().foreignId);
    assertProblem(foreign, 404, 'not-found');
    for (const unknown of [0, 999_999_999, Number.MAX_SAFE_INTEGER]) {
      assert.deepEqual(withoutRequestId(await get(unknown)), withoutRequestId(foreign));
    }
  });

  for (const [value, rule] of [
    ['-1', 'minimum'],
    ['1.5', 'type'],
    ['1e3', 'type'],
    ['0x1', 'type'],
    ['abc', 'type'],
    ['null', 'type'],
    ['1,2', 'type'],
    ['%20', 'type'],
    ['1%00', 'type'],
    ['%C3%BC', 'type'],
    ['9007199254740992', 'maximum'],
    ['9223372036854775808', 'maximum'],
    ['x'.repeat(1000), 'type'],
  ] as const) {
    it(`refuses the id ${value.slice(0, 30)}`, async () => {
      assertInvalid(await get(value), { id: rule });
    });
  }

  for (const value of ['%ZZ', '%FF', '1%']) {
    it(`refuses the id ${value}, which is not percent-encoded UTF-8`, async () => {
      assertProblem(await get(value), 400, 'malformed-request');
    });
  }

  for (const [character, rule] of [
    ['x', 'type'],
    ['1', 'maximum'],
  ] as const) {
    it(`refuses an id of several thousand characters "${character}" like any other invalid id`, async () => {
      assertInvalid(await get(character.repeat(5000)), { id: rule });
    });
  }

  it('refuses query parameters', async () => {
    assertInvalid(await get(subject().id, '?id=2&id=3&other=%00'), { id: 'unknown', other: 'unknown' });
  });

  refusesOtherMethods(() => ({ ...subject(), path: subject().pathOf(subject().id), allow: 'GET, HEAD' }));
  answersHead(() => ({ ...subject(), path: subject().pathOf(subject().id) }));
}
