import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extractText, getDocumentProxy } from 'unpdf';
import { joinCompany, useFixture } from '../../support/daily-run.ts';
import { myClient } from '../../support/my.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { updateRows } from '../../support/rows.ts';
import { entries } from '../../support/sync.ts';

async function readPages(file: string): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(Buffer.from(file, 'base64')));
  return (await extractText(pdf)).text.map((page) => page.replaceAll(/\s+/g, ' '));
}

describe('Letters that invite to join', () => {
  const fixture = useFixture('2026-11-05', 'without documents');

  it('have a page per employee in their language, whose code lets them in until the next letter', async () => {
    const company = await joinCompany(fixture, {
      ...{ joining: 'both', plan_type: 'split-pay-plan', contribution_cents: 2000 },
    });
    const { companyId } = company;
    await company.sync('first', [...entries(2), { ...entries(3)[2], autoSyncEmployee: false }]);
    const [first = 0, second = 0] = (await company.employees()).map(({ id }) => id as number);
    await updateRows(fixture.app.db, 'employees', { company_id: companyId, id: second }, { language: 'en' });
    const client = await signIn(fixture.app, await makeUser(fixture.app, companyId, 'hr'));
    const print = async (body: object) => {
      const response = await client.post('/joining/letters', body);
      assert.equal(response.status, 200, JSON.stringify(response.body));
      const { file, ...counts } = response.body.data;
      return { counts, pages: file === null ? [] : await readPages(file) };
    };
    const all = await print({});
    assert.deepEqual(all.counts, { created: 2, skipped: 1, remaining: 0, continueAfter: null });
    assert.equal(all.pages.length, 2);
    const [german = '', english = ''] = all.pages;
    assert.match(german, /Sie zahlen 20,00 € im Monat, wir zahlen 39,85 €/);
    assert.match(english, /You pay €20\.00 per month, we pay €39\.85/);
    assert.match(german, new RegExp(`/my/letter/${companyId} `));
    const codeIn = (page: string) => /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(page)?.[0] ?? assert.fail(page);
    const [hrId] = (await company.employees()).map(({ hrIntergartionLinks: [link] }) => link.hrId as string);
    const enter = (code: string) => myClient(fixture.app).post('/access/letter', { companyId, hrId, code });
    const again = await print({ employeeIds: [first] });
    assert.equal((await enter(codeIn(german))).body.code, 'access-refused');
    assert.equal((await enter(codeIn(again.pages[0] ?? ''))).status, 204);
    const { body } = await client.get('/joining/invitations');
    assert.deepEqual(
      body.data.data.map(({ state, letteredAt }: { state: string; letteredAt: string | null }) => [
        state,
        letteredAt !== null,
      ]),
      [
        ['invited', true],
        ['invited', true],
      ],
    );
    await company.runTo('2026-11-12');
    assert.deepEqual((await print({ employeeIds: [999_999] })).counts, {
      ...{ created: 0, skipped: 1, remaining: 0, continueAfter: null },
    });
  });

  it('are refused while the roster decides', async () => {
    const company = await joinCompany(fixture);
    const client = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'hr'));
    assert.equal((await client.post('/joining/letters', {})).body.code, 'joining-not-allowed');
  });
});
