import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operator } from '../../../src/domain/actor.ts';
import { deleteCase, listCases, readCaseFile, requestCase } from '../../../src/features/connectors/cases/cases.ts';
import type { ScimCase } from '../../../src/features/connectors/cases/contract.ts';
import { openCase } from '../../../src/features/connectors/cases/operate.ts';
import { type ReplayedScim, replayExchanges } from '../../../src/features/scim/replay-case.ts';
import type { Tx } from '../../../src/platform/db/database.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { useApp } from '../../support/app.ts';
import { aUser, connectProvider, extension, patchOf } from '../../support/scim.ts';
import { makePusher, type Pusher } from '../../support/sync.ts';

class RolledBack extends Error {}

describe('Requests by SCIM as a case', () => {
  const app = useApp();

  const contextOf = ({ companyId }: Pusher) => ({
    config: app.config,
    db: app.serviceDb,
    companyId,
    by: { actor: operator, name: 'Ada', at: app.deps.clock.now() },
    write: <T>(change: (tx: Tx, roles: []) => Promise<T>) =>
      writeCompany(app.serviceDb, companyId, (tx) => change(tx, [])),
    openEncryption: () => Promise.reject(new Error('Nothing is encrypted.')),
  });

  async function replay(file: ScimCase): Promise<ReplayedScim> {
    let result: ReplayedScim | undefined;
    await app.serviceDb
      .transaction()
      .execute(async (tx) => {
        result = await replayExchanges(tx, file);
        throw new RolledBack();
      })
      .catch((error) => assert(error instanceof RolledBack, String(error)));
    assert(result !== undefined);
    return result;
  }

  it('contains them with pseudonyms, and is answered in the same way when it is replayed', async () => {
    const pusher = await makePusher(app);
    const idp = await connectProvider(pusher);
    const known = await idp.create(aUser(1));
    await idp.create(aUser(2, { name: { givenName: 'Ungespeichert', familyName: 'Vorher' } }));
    const context = contextOf(pusher);
    const id = pusher.integrationId;
    const { id: caseId } = await requestCase(context, { id });
    assert.equal((await requestCase(context, { id })).id, caseId, 'one at a time');
    const born = extension({ startDate: '2024-02-01', group: 'Geschäftsleitung' });
    const added = await idp.create(
      aUser(3, {
        name: { givenName: 'Friederike', familyName: 'Ölmüller' },
        displayName: 'Friederike Ölmüller',
        ...born,
      }),
    );
    assert.equal((await idp.request('POST', '/Users', aUser(3))).status, 409);
    assert.equal((await idp.request('POST', '/Users', aUser(4, { emails: [], userName: 'no address' }))).status, 400);
    await idp.patch(known, { op: 'Replace', path: 'emails[type eq "work"].value', value: 'neu@firma.example' });
    await idp.patch(known, { op: 'Replace', path: 'active', value: 'False' });
    const query = new URLSearchParams({ filter: 'externalId eq "ext-3"', startIndex: '1', count: '10' });
    await idp.request('GET', `/Users?${query}`);
    const group = await idp.request('POST', '/Groups', { displayName: 'Vertrieb', members: [{ value: added }] });
    assert.equal(group.status, 201);
    await idp.request('POST', '/Bulk', {
      Operations: [
        { method: 'POST', path: '/Users', bulkId: 'one', data: aUser(5) },
        {
          method: 'PATCH',
          path: `/Groups/${group.body.id}`,
          data: patchOf({ op: 'add', path: 'members', value: [{ value: 'bulkId:one' }] }),
        },
      ],
    });
    await idp.request('DELETE', `/Users/${added}`);
    await idp.request('GET', '/Users/999999');
    const bytes = await readCaseFile(context, { id, caseId });
    const text = bytes.toString();
    for (const planted of [
      'Friederike',
      'Ölmüller',
      'lm%C3%BCller',
      'anna3@',
      'example.com',
      'firma.example',
      'neu@',
      'Muster',
      'ext-3',
      'E3"',
      '2024-02-01',
      'Geschäftsleitung',
      'Vertrieb',
      idp.token,
      idp.token.split('.')[1] ?? '',
      'Ungespeichert',
    ]) {
      assert(!text.includes(planted), `${planted} is in the case`);
    }
    const file = JSON.parse(text) as ScimCase;
    assert.deepEqual(
      file.exchanges.map(({ method, status }) => [method, status]),
      [
        ['POST', 201],
        ['POST', 409],
        ['POST', 400],
        ['PATCH', 200],
        ['PATCH', 200],
        ['GET', 200],
        ['POST', 201],
        ['POST', 200],
        ['DELETE', 204],
        ['GET', 404],
      ],
    );
    const replayed = await replay(file);
    assert.deepEqual([replayed.differences, replayed.isSame, replayed.roster], [[], true, { entries: 1 }]);
    const altered = {
      ...file,
      exchanges: file.exchanges.map((one, index) => (index === 1 ? { ...one, status: 201 } : one)),
    };
    const [difference] = (await replay(altered)).differences;
    assert.deepEqual([difference?.number, difference?.recorded, difference?.replayed], [2, 201, 409]);
    const [listed] = await listCases(context, { id });
    assert.deepEqual([listed?.exchanges, listed?.isReady, listed?.isRecording], [10, true, true]);
    await deleteCase(context, { id, caseId });
    await idp.request('GET', '/Users');
    assert.deepEqual(await listCases(context, { id }), []);
  });

  it('that was saved is read from its file', async () => {
    const file = await openCase('test/support/cases/scim.json');
    assert(file.kind === 'scim');
    const { isSame, requests, roster } = await replay(file);
    assert.deepEqual([isSame, requests, roster], [true, 10, { entries: 1 }]);
  });

  it('is of one integration only, and nothing is recorded unless somebody asks', async () => {
    const [one, other] = [await makePusher(app), await makePusher(app)];
    const [mine, theirs] = [await connectProvider(one), await connectProvider(other)];
    const { id: caseId } = await requestCase(contextOf(one), { id: one.integrationId });
    await theirs.create(aUser(1));
    await mine.request('GET', '/Users');
    assert.deepEqual(await listCases(contextOf(other), { id: other.integrationId }), []);
    await assert.rejects(readCaseFile(contextOf(other), { id: other.integrationId, caseId }), /case/);
    await assert.rejects(deleteCase(contextOf(other), { id: other.integrationId, caseId }), /case/);
    const [listed] = await listCases(contextOf(one), { id: one.integrationId });
    assert.equal(listed?.exchanges, 1);
  });
});
