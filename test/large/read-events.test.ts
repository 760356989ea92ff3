import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { assertNothingMissed } from '../support/event-log.ts';
import { makeCompany, makeKey } from '../support/factories.ts';

describe('clients that read 100,000 events while they are written', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: '0' } });
  });
  after(() => app.close());

  it('miss none, receive none twice and see no gap', async () => {
    const companyId = await makeCompany(app.db);
    const key = await makeKey(app.db, companyId);
    const count = await assertNothingMissed(app, { companyId, key }, { writers: 8, transactions: 500, events: 60 });
    assert(count > 100_000, `only ${count} events`);
  });
});
