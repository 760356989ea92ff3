import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Credentials, TestApp, TestResponse } from '../app.ts';
import { assertInvalid, assertProblem } from './problems.ts';

export interface List {
  app: TestApp;
  key: Credentials;
  path: string;
  /** The ids of all records in the list, in ascending order: more than ten, fewer than a hundred. */
  ids: number[];
  /** A key of another company that has no records, and so none in this list either. */
  otherKey: Credentials;
}

export const idsOf = ({ body }: TestResponse): number[] => body.data.data.map((row: { id: number }) => row.id);

const totalsOf = ({ body }: TestResponse) => ({ ...body.data, data: undefined });

/**
 * Defines the tests that every list must pass. Paging, order and the handling of parameters are the same for all lists.
 */
export function behavesLikeEveryList(subject: () => List): void {
  const get = (query = '') => {
    const { app, path, key } = subject();
    return app.request(`${path}${query}`, { key });
  };

  it('returns the first ten records by id by default', async () => {
    const { ids } = subject();
    const response = await get();
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json(; charset=utf-8)?$/);
    assert.deepEqual(idsOf(response), ids.slice(0, 10));
    assert.deepEqual(totalsOf(response), {
      data: undefined,
      page: 1,
      perPage: 10,
      totalPages: Math.ceil(ids.length / 10),
      total: ids.length,
    });
  });

  it('sorts by id in both directions', async () => {
    const { ids } = subject();
    assert.deepEqual(idsOf(await get('?sortOrder=asc&perPage=100')), ids);
    assert.deepEqual(idsOf(await get('?sortOrder=desc&perPage=100')), ids.toReversed());
  });

  for (const sortOrder of ['asc', 'desc']) {
    it(`neither repeats nor skips a record between pages (${sortOrder})`, async () => {
      const { ids } = subject();
      const seen: number[] = [];
      for (let page = 1; page <= Math.ceil(ids.length / 4); page++) {
        seen.push(...idsOf(await get(`?page=${page}&perPage=4&sortOrder=${sortOrder}`)));
      }
      assert.deepEqual(seen, sortOrder === 'asc' ? ids : ids.toReversed());
    });
  }

  it('returns page 1 for page 0', async () => {
    const response = await get('?page=0&perPage=3');
    assert.equal(response.body.data.page, 1);
    assert.deepEqual(idsOf(response), subject().ids.slice(0, 3));
  });

  it('returns no records but the correct total if perPage is 0', async () => {
    const { data } = (await get('?perPage=0&page=2')).body;
    assert.deepEqual(data, { data: [], page: 2, perPage: 0, totalPages: 0, total: subject().ids.length });
  });

  for (const page of [99, Number.MAX_SAFE_INTEGER]) {
    it(`returns no records but the correct totals on page ${page}, past the end`, async () => {
      const { data } = (await get(`?page=${page}&perPage=100`)).body;
      assert.deepEqual(data, { data: [], page, perPage: 100, totalPages: 1, total: subject().ids.length });
    });
  }

  it('returns up to 100 records per page', async () => {
    const response = await get('?perPage=100');
    assert.deepEqual(idsOf(response), subject().ids);
    assert.equal(response.body.data.perPage, 100);
  });

  for (const value of ['', 'null', '%20']) {
    it(`treats ${value === '' ? 'an empty value' : `"${value}"`} like an omitted parameter`, async () => {
      const response = await get(`?page=${value}&perPage=${value}&sortOrder=${value}`);
      assert.deepEqual(response.body, (await get()).body);
    });
  }

  it('treats a parameter without an equals sign like an omitted one', async () => {
    assert.deepEqual((await get('?page&perPage&&sortOrder&')).body, (await get()).body);
  });

  /** Values by parameter and by the code with which they are refused. */
  const wrong: Record<string, Record<string, string[]>> = {
    page: {
      minimum: ['-1'],
      maximum: ['9007199254740992', '9007199254740993', '99999999999999999999999999'],
      type: ['1.5', '1e3', '0x10', 'two', '1,2', '%00', 'x'.repeat(5000)],
      encoding: ['%ZZ', '%FF', '%'],
    },
    perPage: { minimum: ['-1'], maximum: ['101', '18446744073709551616'], type: ['10.0', '1e1', 'ten'] },
    sortOrder: { enum: ['up', 'ASC', 'asc,desc', 'asc%00'] },
  };
  for (const [parameter, rules] of Object.entries(wrong)) {
    for (const [rule, values] of Object.entries(rules)) {
      for (const value of values) {
        it(`refuses ${parameter}=${value.slice(0, 30)} with the code "${rule}"`, async () => {
          assertInvalid(await get(`?${parameter}=${value}`), { [parameter]: rule });
        });
      }
    }
  }

  it('refuses a number of any length', async () => {
    const response = await get(`?page=${'9'.repeat(400)}`);
    assertProblem(response, 400, 'invalid-parameters');
    assert.equal(response.body.errors[0].parameter, 'page');
  });

  for (const [parameter, value] of Object.entries({ page: '1', perPage: '10', sortOrder: 'asc' })) {
    it(`refuses ${parameter} given twice, even with the same value`, async () => {
      assertInvalid(await get(`?${parameter}=${value}&${parameter}=${value}`), { [parameter]: 'repeated' });
    });
  }

  it('reports all errors together', async () => {
    const response = await get('?page=-1&perPage=101&sortOrder=up');
    assertInvalid(response, { page: 'minimum', perPage: 'maximum', sortOrder: 'enum' });
  });

  it('reports repeated, malformed and invalid parameters together', async () => {
    const response = await get('?page=1&page=2&perPage=101&sortOrder=%ZZ');
    assertInvalid(response, { page: 'repeated', perPage: 'maximum', sortOrder: 'encoding' });
  });

  it('refuses unknown parameters and suggests the nearest known name', async () => {
    const names = ['PAGE', 'per_page', 'sortOrdre', 'page[]', 'limit', '__proto__', 'constructor', 'filter[a][b]', ''];
    const response = await get(`?${names.map((name) => `${name}=1`).join('&')}&limit=2`);
    assertInvalid(response, Object.fromEntries(names.map((name) => [name, 'unknown'])));
    const details: string[] = response.body.errors.map(({ detail }: { detail: string }) => detail);
    const meant = details.map((detail) => /did you mean `(\w+)`\?$/.exec(detail)?.[1]);
    assert.deepEqual(meant.slice(0, 4), ['page', 'perPage', 'sortOrder', 'page']);
    for (const detail of details.slice(4)) assert.match(detail, /^is not a known parameter; known parameters are `/);
  });

  it('returns nothing of it to another company', async () => {
    const { app, path, otherKey, ids } = subject();
    const { status, body } = await app.request(`${path}?perPage=100`, { key: otherKey });
    if (status === 404) {
      assert.equal(body.code, 'not-found');
      return;
    }
    assert.equal(status, 200);
    assert.deepEqual(body.data.data, []);
    assert.equal(body.data.total, 0);
    assert.notEqual(ids.length, 0);
  });

  refusesOtherMethods(() => ({ ...subject(), allow: 'GET, HEAD' }));
  answersHead(subject);
}

interface Addressed {
  app: TestApp;
  key: Credentials;
  path: string;
}

export function refusesOtherMethods(subject: () => Addressed & { allow: string }): void {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    it(`refuses ${method} and lists the allowed methods in Allow`, async () => {
      const { app, path, key, allow } = subject();
      const response = await app.request(path, { method, key });
      assertProblem(response, 405, 'method-not-allowed');
      assert.equal(response.headers.get('allow'), allow);
    });
  }
}

export function answersHead(subject: () => Addressed): void {
  it('responds to HEAD like GET, without the body', async () => {
    const { app, path, key } = subject();
    const head = await app.request(path, { method: 'HEAD', key });
    const get = await app.request(path, { key });
    assert.equal(head.status, get.status);
    assert.equal(head.bytes.length, 0);
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'));
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  });
}

/**
 * Defines the tests of the order of a list of four records. `fields` has, by sort field, their positions in ascending
 * order.
 */
export function sortsBy(fields: Record<string, number[]>, subject: () => Addressed & { ids: number[] }): void {
  const order = async (query: string) => {
    const { app, path, key, ids } = subject();
    return idsOf(await app.request(`${path}?${query}`, { key })).map((id) => ids.indexOf(id));
  };

  for (const [field, ascending] of Object.entries(fields)) {
    it(`sorts by ${field}, ties by id in the same direction`, async () => {
      assert.deepEqual(await order(`sortField=${field}`), ascending);
      assert.deepEqual(await order(`sortField=${field}&sortOrder=asc`), ascending);
      assert.deepEqual(await order(`sortField=${field}&sortOrder=desc`), ascending.toReversed());
    });

    it(`keeps the order by ${field} across pages`, async () => {
      const pages = [1, 2, 3, 4].map((page) => order(`sortField=${field}&sortOrder=desc&perPage=1&page=${page}`));
      assert.deepEqual((await Promise.all(pages)).flat(), ascending.toReversed());
    });
  }

  for (const field of ['id', '', 'null']) {
    it(`sorts by id when the sort field is "${field}"`, async () => {
      assert.deepEqual(await order(`sortField=${field}`), [0, 1, 2, 3]);
      assert.deepEqual(await order(`sortField=${field}&sortOrder=desc`), [3, 2, 1, 0]);
    });
  }
}

/** Defines the tests of the lists that can be restricted to ids. */
export function takesIdsInEverySpelling(subject: () => List): void {
  const get = (query: string) => {
    const { app, path, key } = subject();
    return app.request(`${path}?${query}`, { key });
  };
  const spellings: [name: string, spell: (a: number, b: number) => string][] = [
    ['repeated keys', (a, b) => `ids=${a}&ids=${b}`],
    ['brackets', (a, b) => `ids[]=${a}&ids[]=${b}`],
    ['percent-encoded brackets', (a, b) => `ids%5B%5D=${a}&ids%5B%5D=${b}`],
    ['indexed brackets', (a, b) => `ids[0]=${a}&ids[1]=${b}`],
    ['commas', (a, b) => `ids=${a},${b}`],
    ['percent-encoded commas and spaces', (a, b) => `ids=${a}%2C+${b}`],
    ['a mixture', (a, b) => `ids[]=${a}&ids=${b},${a}`],
    ['empty and null items among them', (a, b) => `ids=,${a},null,&ids=&ids[7]=${b}`],
  ];
  for (const [name, spell] of spellings) {
    it(`restricts to ids given as ${name}`, async () => {
      const { ids } = subject();
      const [first = 0, , third = 0] = ids;
      const response = await get(spell(third, first));
      assert.deepEqual(idsOf(response), [first, third]);
      assert.equal(response.body.data.total, 2);
    });
  }

  for (const query of ['ids=', 'ids=null', 'ids[]=', 'ids=,', 'ids']) {
    it(`ignores ${query}`, async () => {
      assert.equal((await get(query)).body.data.total, subject().ids.length);
    });
  }

  it('finds nothing for ids that do not exist', async () => {
    const { data } = (await get(`ids=0&ids=${Number.MAX_SAFE_INTEGER}`)).body;
    assert.deepEqual(data, { data: [], page: 1, perPage: 10, totalPages: 0, total: 0 });
  });

  const rules = { '-1': 'minimum', '9007199254740992': 'maximum', '%ZZ': 'encoding' };
  const noIds = Object.fromEntries(['1.5', '1e3', 'abc', '%00'].map((value) => [value, 'type']));
  for (const [value, rule] of Object.entries({ ...rules, ...noIds })) {
    it(`refuses ids with ${value} among them`, async () => {
      assertInvalid(await get(`ids=${subject().ids[0]}&ids=${value}`), { ids: rule });
    });
  }

  it('reports ids once, however many of them are invalid', async () => {
    const response = await get(`ids=${Array.from({ length: 300 }, (_, index) => `x${index}`).join(',')}`);
    assertInvalid(response, { ids: 'type' });
  });

  it('accepts as many ids as fit into a request', async () => {
    const [first] = subject().ids;
    const many = Array.from({ length: 1200 }, (_, index) => 1_000_000_000 + index);
    assert.deepEqual(idsOf(await get(`ids=${[...many, first].join(',')}`)), [first]);
  });
}
