import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { compileValidator } from '../../../src/platform/http/validator.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';

describe('A value of the wrong form', () => {
  const app = useApp();
  let key: Credentials;
  before(async () => {
    key = await makeKey(app.db, await makeCompany(app.db));
  });

  it('is refused with the form that is expected', async () => {
    for (const path of ['items', 'invoices', 'payroll-exports']) {
      const { status, body } = await app.request(`/billing/${path}?period=2026-13-01`, { key });
      assert.equal(status, 400);
      assert.equal(body.detail, 'period must be the first day of a month, such as 2026-11-01.', path);
    }
  });

  it('is reported once with those of other fields, however often it is sent', () => {
    const properties = {
      period: { type: 'string', format: 'first-of-month' },
      code: { type: 'string', pattern: '^[a-z]+$' },
      count: { type: 'integer' },
    };
    const validate = compileValidator({ schema: { type: 'object', properties } });
    for (const _ of [1, 2, 3]) {
      assert.equal(validate({ period: 'x', code: '1', count: 'y' }), false);
      assert.deepEqual(
        validate.errors?.map(({ instancePath, keyword, params }) => [instancePath, keyword, params[keyword]]),
        [
          ['/period', 'format', 'first-of-month'],
          ['/code', 'pattern', '^[a-z]+$'],
          ['/count', 'type', 'integer'],
        ],
      );
    }
    assert.equal(validate({ period: '2026-11-01', code: 'a', count: 1 }), true);
  });
});
