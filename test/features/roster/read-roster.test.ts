import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readRoster } from '../../../src/features/roster/read-roster.ts';
import { readEntries } from '../../../src/features/roster/roster-parts.ts';
import { type ApiError, type ProblemCode, problems } from '../../../src/platform/http/errors.ts';
import {
  entries,
  entry,
  inChunks,
  limits,
  problemsIn,
  readBack,
  refusalOf,
  today,
} from '../../support/roster-entries.ts';

const read = (body: string | object, chunkBytes = 65_536, within = limits) =>
  readRoster(inChunks(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), chunkBytes), within);

const roster = (employees: unknown, more: object = { syncId: 's-1' }) => ({ ...more, employees });

const hashOf = async (body: string | object, chunkBytes?: number) =>
  (await read(body, chunkBytes)).contentHash.toString('hex');

const refusal = (body: string | object, within = limits) => refusalOf(read(body, 65_536, within));

async function assertRefused(body: string | object, code: ProblemCode, within = limits): Promise<ApiError> {
  const error = await refusal(body, within);
  assert.equal(error.code, code, error.message);
  return error;
}

const problemsOf = async (body: object) => problemsIn(await refusal(body));

describe('reading a roster', () => {
  it('keeps every entry, in its order', async () => {
    const employees = entries(3000);
    const { syncId, entryCount, contentHash, parts } = await read(roster(employees, { syncId: ' sync 1 ' }));
    assert.equal(syncId, 'sync 1');
    assert.equal(entryCount, 3000);
    assert.equal(contentHash.length, 32);
    assert.equal(parts.length, 1);
    assert.deepEqual(await readBack(parts), employees);
  });

  it('stores entries trimmed, without unknown fields, and omitted fields as omitted', async () => {
    const employees = [{ id: 5, hrId: ' 1 ', lastName: 'B\n', firstName: ' A', email: ' a@b.de', absences: null }];
    const { parts } = await read(roster(employees));
    const [kept] = await readBack(parts);
    assert.deepEqual(kept, { hrId: '1', firstName: 'A', lastName: 'B', email: 'a@b.de', absences: [] });
  });

  it('splits large rosters into parts and reads them back in batches', async () => {
    const employees = entries(40_000);
    const { parts } = await read(roster(employees));
    assert.equal(parts.length, 3);
    let count = 0;
    let largest = 0;
    async function* later() {
      yield* parts;
    }
    for await (const batch of readEntries(later())) {
      assert.deepEqual(batch[0], employees[count]);
      assert.deepEqual(batch.at(-1), employees[count + batch.length - 1]);
      count += batch.length;
      largest = Math.max(largest, batch.length);
    }
    assert.equal(count, employees.length);
    assert.ok(largest < 5000, `${largest} entries at once`);
  });

  it('accepts members in any order and ignores unknown ones', async () => {
    const employees = entries(2);
    const expected = await hashOf(roster(employees));
    const unknown = { a: 1, b: [1, { c: [] }], d: { employees: 5, syncId: null } };
    assert.equal(await hashOf({ ...unknown, employees, e: 'x'.repeat(100_000), syncId: 's' }), expected);
    assert.equal(await hashOf({ syncId: 's', employees, departments: Array(50_000).fill({ name: 'x' }) }), expected);
  });

  it('accepts a plain list of entries if requested', async () => {
    const employees = entries(7);
    const { contentHash } = await read(roster(employees));
    const readList = (text: string, chunkBytes = 65_536) =>
      readRoster(inChunks(Buffer.from(text), chunkBytes), limits, 'list');
    for (const chunkBytes of [1, 2, 3, 7, 65_536]) {
      const list = await readList(` ${JSON.stringify(employees, null, 1)}\n`, chunkBytes);
      assert.deepEqual([list.entryCount, list.contentHash], [7, contentHash]);
    }
    const text = JSON.stringify(employees);
    for (const [wrong, code] of [
      ['[]', 'invalid-roster'],
      ['[ ]', 'invalid-roster'],
      ['[5]', 'invalid-roster'],
      ['5', 'invalid-roster'],
      [text.slice(0, -1), 'malformed-body'],
      [`${text},`, 'malformed-body'],
      [`${text}]`, 'malformed-body'],
      [`${text},"syncId":"s"}`, 'malformed-body'],
      [`[${text}`, 'malformed-body'],
    ] as const) {
      await assert.rejects(readList(wrong), (error: ApiError) => error.code === code, wrong);
    }
    assert.equal((await refusal(text)).code, 'invalid-roster');
  });

  it('has the same hash for the same content', async () => {
    const employees = entries(5);
    const expected = await hashOf(roster(employees));
    const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());
    const turned = employees.map((item) => reversed({ ...item, absences: item.absences.map(reversed) }));
    assert.equal(await hashOf(roster(turned, { syncId: 'another' })), expected);
    for (const gap of [' ', '\t', '\r\n  '])
      assert.equal(await hashOf(JSON.stringify(roster(turned), null, gap)), expected);
    for (const chunkBytes of [1, 2, 3, 7, 1000]) assert.equal(await hashOf(roster(employees), chunkBytes), expected);
    const escaped = JSON.stringify(roster(employees)).replaceAll('ü', '\\u00fc');
    assert.equal(await hashOf(escaped), expected);
  });

  it('has another hash for any other content', async () => {
    const employees = entries(12);
    const first = entry(0);
    const { absences: _, ...withoutAbsences } = first;
    const others: object[] = [
      employees.slice(1),
      employees.toReversed(),
      [...employees, entry(12)],
      [{ ...first, firstName: 'anna' }, ...employees.slice(1)],
      [{ ...first, email: 'PERSON.0@example.com' }, ...employees.slice(1)],
      [{ ...first, autoSyncEmployee: null }, ...employees.slice(1)],
      [{ ...first, profileImage: undefined }, ...employees.slice(1)],
      [{ ...first, absences: [] }, ...employees.slice(1)],
      [withoutAbsences, ...employees.slice(1)],
      [{ ...first, dateOfBirth: null }, ...employees.slice(1)],
    ];
    const hashes = await Promise.all([employees, ...others].map((list) => hashOf(roster(list))));
    assert.equal(new Set(hashes).size, hashes.length);
  });

  it('reads the same roster from any chunks', async () => {
    const body = JSON.stringify(roster(entries(20)), null, 1);
    const expected = await hashOf(body);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 500 }), async (chunkBytes) => {
        assert.equal(await hashOf(body, chunkBytes), expected);
      }),
      { numRuns: 50 },
    );
  });
});

describe('roster warnings', () => {
  it('counts unknown fields and reports the first occurrence', async () => {
    const employees = entries(300).map((item, index) => (index < 7 ? item : { ...item, department: 'Sales' }));
    const { warnings } = await read({ departments: [{ id: 1 }], version: 2, syncId: 's', employees });
    assert.deepEqual(warnings, [
      { code: 'unknown-field', field: 'departments', count: 1, pointer: '/departments', hrId: null, records: [] },
      { code: 'unknown-field', field: 'version', count: 1, pointer: '/version', hrId: null, records: [] },
      {
        ...{ code: 'unknown-field', field: 'department', count: 293 },
        ...{ pointer: '/employees/7/department', hrId: 'HR-7', records: [] },
      },
    ]);
    assert.deepEqual((await read(roster(entries(3)))).warnings, []);
  });

  it('lists at most 100 records with implausible dates', async () => {
    const employees = entries(300).map((item, index) => (index < 7 ? item : { ...item, dateOfBirth: '2026-11-16' }));
    const [born, starts, ...others] = (await read(roster(employees))).warnings;
    assert.deepEqual(others, []);
    assert.deepEqual([born?.code, born?.count, born?.pointer], ['born-in-the-future', 293, '/employees/7/dateOfBirth']);
    assert.equal(born?.records.length, 100);
    assert.deepEqual(born?.records.at(-1), { hrId: 'HR-106', pointer: '/employees/106/dateOfBirth' });
    assert.deepEqual([starts?.code, starts?.count], ['starts-before-birth', 293]);
  });

  it('lists only the first of many different unknown fields', async () => {
    const employees = entries(300).map((item, index) => ({ ...item, [`unknown-${index}`]: 1 }));
    const { warnings } = await read(roster(employees));
    assert.equal(warnings.length, 51);
    const { field, count, pointer } = warnings.at(-1) ?? {};
    assert.deepEqual({ field, count, pointer }, { field: '*', count: 250, pointer: '/employees/50/unknown-50' });
  });
});

describe('rejecting a roster', () => {
  it('suggests the correct name of a misspelled member of the body', async () => {
    const employees = entries(1);
    assert.deepEqual(await problemsOf({ syncID: 's', employees }), ['/syncID: unknown-field', '/syncId: required']);
    assert.deepEqual(await problemsOf({ syncId: 's', employes: employees }), [
      '/employes: unknown-field',
      '/employees: required',
    ]);
  });

  it('reports problems of the body', async () => {
    const employees = entries(1);
    assert.deepEqual(await problemsOf({}), ['/syncId: required', '/employees: required']);
    assert.deepEqual(await problemsOf({ syncId: 's' }), ['/employees: required']);
    assert.deepEqual(await problemsOf({ employees }), ['/syncId: required']);
    assert.deepEqual(await problemsOf({ syncId: '', employees: [] }), ['/syncId: empty', '/employees: empty']);
    for (const syncId of [null, 5, [], ['s'], [[]], {}]) {
      assert.deepEqual(await problemsOf({ employees, syncId }), ['/syncId: type'], JSON.stringify(syncId));
    }
    for (const value of [null, 5, 'x', {}, { a: [] }, true]) {
      assert.deepEqual(
        await problemsOf({ syncId: 's', employees: value }),
        ['/employees: type'],
        JSON.stringify(value),
      );
    }
    assert.deepEqual(await problemsOf({ syncId: 'x'.repeat(256), employees }), ['/syncId: too-long']);
  });

  it('rejects JSON that is not an object as an invalid roster', async () => {
    for (const body of ['[]', '[{"hrId":"1"}]', 'null', '"x"', ' 5 ', 'true']) {
      const { extra, message } = await assertRefused(body, 'invalid-roster');
      assert.deepEqual(
        extra.errors?.map((error) => 'pointer' in error && error.pointer),
        [''],
      );
      assert.match(message, /The body must be an object with `syncId` and `employees`/);
    }
  });

  it('reports all problems, those of the body before those of the entries', async () => {
    const employees = [entry(0), { ...entry(1), email: 'x', startDate: 'x' }, entry(2), 5, { ...entry(4), hrId: '' }];
    assert.deepEqual(await problemsOf({ employees }), [
      '/syncId: required',
      '/employees/1/email: invalid-email',
      '/employees/1/startDate: invalid-date',
      '/employees/3: type',
      '/employees/4/hrId: empty',
    ]);
  });

  it('reports the later of two duplicate entries', async () => {
    const again = { ...entry(3), hrId: ' HR-0 ', email: 'Employee.1@EXAMPLE.com' };
    const employees = [...entries(3), again, { ...again, startDate: 'x' }, { ...entry(5), hrId: 'hr-0' }];
    assert.deepEqual(await problemsOf(roster(employees)), [
      '/employees/3/hrId: duplicate-hr-id',
      '/employees/3/email: duplicate-email',
      '/employees/4/startDate: invalid-date',
      '/employees/4/hrId: duplicate-hr-id',
      '/employees/4/email: duplicate-email',
    ]);
    const { extra } = await refusal(roster(employees));
    assert.match(extra.errors?.[0]?.detail ?? '', /\/employees\/0\/hrId/);
    assert.match(extra.errors?.[4]?.detail ?? '', /\/employees\/1\/email/);
  });

  it('lists 100 problems and counts all', async () => {
    const employees = entries(1000).map((item, index) => (index < 137 ? { ...item, email: 'x' } : item));
    const { extra, message } = await assertRefused(roster(employees), 'invalid-roster');
    assert.equal(extra.errors?.length, 100);
    assert.equal(extra.errorCount, 137);
    assert.match(message, /\/employees\/0\/email \(hrId HR-0\) must be .*137 errors in total/);
    assert.deepEqual(extra.errors?.at(-1), { ...extra.errors?.[0], pointer: '/employees/99/email', hrId: 'HR-99' });
    const withoutSyncId = await refusal({ employees });
    assert.equal(withoutSyncId.extra.errorCount, 138);
    assert.equal(withoutSyncId.extra.errors?.length, 100);
    assert.match(JSON.stringify(withoutSyncId.extra.errors?.[0]), /syncId/);
    assert.match(
      (await refusal(roster([{ ...entry(0), hrId: 7 }]))).message,
      /hrId must be a string\. 1 error in total/,
    );
  });

  it('rejects malformed JSON before any other problem', async () => {
    const good = JSON.stringify(roster([{ ...entry(0), email: 'x' }, entry(1)]));
    const bodies = [
      '',
      '{',
      'syncId=1',
      `\ufeff${good}`,
      good.slice(0, -1),
      good.slice(0, -5),
      `${good}}`,
      `${good}{}`,
      good.replace('"employees":[', '"employees":[,'),
      good.replace(']}', ',]}'),
      good.replace('"HR-1"', "'HR-1'"),
      good.replace('"hrId":"HR-1"', '"hrId":"HR-1","hrId":"HR-1"'),
      good.replace('"employees"', '"syncId":"s-1","employees"'),
      good.replace(/}$/, ',"employees":[]}'),
      good.replace('"absences":[]', '"absences":[{"approved":true,"approved":true}]'),
      good.replace('"absences":[]', `"absences":${'['.repeat(40)}${']'.repeat(40)}`),
      good.replace('Müller 1', `Müller ${'x'.repeat(2 ** 20)}`),
    ];
    for (const body of bodies) await assertRefused(body, 'malformed-body');
    const latin1 = inChunks(Buffer.from(good, 'latin1'), 100);
    await assert.rejects(readRoster(latin1, limits), { code: 'malformed-body' });
  });

  it('refuses more bytes or entries than allowed', async () => {
    const body = JSON.stringify(roster(entries(10)));
    const maxBytes = Buffer.byteLength(body);
    assert.equal((await read(body, 100, { maxBytes, maxEntries: 10, today })).entryCount, 10);
    const tooManyBytes = await assertRefused(body, 'body-too-large', { maxBytes: maxBytes - 1, maxEntries: 10, today });
    assert.match(tooManyBytes.message, /larger than \d+ bytes/);
    const tooManyEntries = await assertRefused(body, 'body-too-large', { maxBytes, maxEntries: 9, today });
    assert.match(tooManyEntries.message, /`employees` has more than 9 entries/);
    const wrong = roster(Array(10).fill(5));
    await assertRefused(wrong, 'body-too-large', { maxBytes, maxEntries: 9, today });
  });

  it('treats a disconnected client as an incomplete body', async () => {
    async function* broken() {
      yield Buffer.from('{"syncId":"s","employees":[');
      throw new Error('aborted');
    }
    await assert.rejects(readRoster(broken(), limits), { code: 'malformed-body', message: /connection ended/ });
  });

  it('does not destroy the stream, so that a response can be sent', async () => {
    const body = Readable.from(inChunks(Buffer.from('{"syncId":1]'.padEnd(9999)), 10), { objectMode: false });
    await assert.rejects(readRoster(body, limits), { code: 'malformed-body' });
    assert.equal(body.destroyed, false);
    body.resume();
    await new Promise((resolve) => body.once('end', resolve));
  });

  it('uses only problems of the catalogue', () => {
    assert.equal(problems['invalid-roster'].status, 422);
    assert.equal(problems['sync-id-reused'].status, 422);
    assert.equal(problems['sync-not-possible'].status, 409);
  });
});
