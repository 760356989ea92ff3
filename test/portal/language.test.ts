import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useApp } from '../support/app.ts';
import { makeCompany } from '../support/factories.ts';
import { makeUser, signIn } from '../support/portal.ts';

describe("the portal's language", () => {
  const app = useApp();

  it('is kept with the account and used on the next device', async () => {
    const company = await makeCompany(app.db);
    const user = await makeUser(app, company, 'viewer');
    const here = await signIn(app, user);
    assert.equal((await here.get('/me')).body.data.user.language, null);
    assert.equal((await here.post('/me/language', { language: 'de' })).status, 204);
    const elsewhere = await signIn(app, user);
    assert.equal((await elsewhere.get('/me')).body.data.user.language, 'de');
    const other = await signIn(app, await makeUser(app, company, 'viewer'));
    assert.equal((await other.get('/me')).body.data.user.language, null);
  });

  it('is German or English, and a refusal names its message', async () => {
    const client = await signIn(app, await makeUser(app, await makeCompany(app.db), 'viewer'));
    const { status, body } = await client.post('/me/language', { language: 'fr' });
    assert.deepEqual(
      [status, body.code, body.errors[0].message],
      [400, 'invalid-body', { key: 'value-one-of', values: { values: 'de, en' } }],
    );
  });
});
