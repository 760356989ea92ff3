import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { RosterEntry } from '../../src/domain/roster/entry.ts';
import { listSubscriptionChanges } from '../../src/employees/history.ts';
import type { SyncWarning } from '../../src/hr-integrations/sync/schema.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { makeUser, type PortalClient, signIn, type TestUser } from '../support/portal.ts';
import { anEntry, entries, makePusher, type Pusher } from '../support/sync.ts';

interface Developer extends Pusher {
  user: TestUser;
  client: PortalClient;
  /** Posts to an address below the integration. */
  upload(where: 'preview' | 'sync', body: unknown, type?: string): ReturnType<PortalClient['post']>;
}

const csv = 'text/csv; charset=utf-8';

const columns = ['hrId', 'firstName', 'lastName', 'email', 'autoSyncEmployee'] as const;
const table = (rows: RosterEntry[]) =>
  [columns.join(';'), ...rows.map((row) => columns.map((column) => row[column] ?? '').join(';')), ''].join('\r\n');

describe('integrations in the portal', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ worker: 'without documents' });
  });
  after(() => app.close());

  async function makeDeveloper(): Promise<Developer> {
    const pusher = await makePusher(app);
    const user = await makeUser(app, pusher.companyId, 'developer', { name: 'Dora Dev' });
    const client = await signIn(app, user);
    return {
      ...pusher,
      user,
      client,
      upload: (where, body, type = 'application/json') =>
        client.post(`/integrations/${pusher.integrationId}/${where}`, body, { 'content-type': type }),
    };
  }

  const audited = async ({ companyId }: Pusher, action: string) => {
    const { rows } = await sql<{ actor_type: string; actor: string; target: string; detail: object }>`
      select actor_type, actor, target, detail from audit_log where company_id = ${companyId} and action = ${action}
      order by id`.execute(app.db);
    return rows;
  };

  describe('the integration itself', () => {
    it('can be created, listed, shown, disabled and enabled, and the audit log names the user', async () => {
      const developer = await makeDeveloper();
      const { client, user } = developer;
      const made = await client.post('/integrations', { name: ' Nightly push ', type: 'api-integration' });
      assert.equal(made.status, 201);
      const { id } = made.body.data;
      assert.deepEqual(
        [made.body.data.name, made.body.data.status, made.body.data.canTriggerSync],
        ['Nightly push', 'active', true],
      );
      assert.deepEqual((await developer.get(`/hr-integrations/${id}`)).body, made.body);
      assert.deepEqual((await client.get(`/integrations/${id}`)).body, made.body);
      assert.deepEqual(
        (await client.get('/integrations')).body.data.map((one: { id: number }) => one.id),
        [developer.integrationId, id],
      );
      const disabled = await client.post(`/integrations/${id}/status`, { status: 'inactive' });
      assert.deepEqual([disabled.status, disabled.body.data.canTriggerSync], [200, false]);
      const enabled = await client.post(`/integrations/${id}/status`, { status: 'active' });
      assert.deepEqual(enabled.body, made.body);
      const by = { actor_type: 'user', actor: user.id, target: String(id) };
      assert.deepEqual(await audited(developer, 'integration.set'), [
        { ...by, detail: { status: 'inactive' } },
        { ...by, detail: { status: 'active' } },
      ]);
      const [, creation] = await audited(developer, 'integration.create');
      assert.deepEqual(creation, { ...by, detail: { name: 'Nightly push', type: 'api-integration' } });
    });

    it('requires a name and a type', async () => {
      const { client } = await makeDeveloper();
      for (const [body, pointer] of [
        [{ name: '  ', type: 'api-integration' }, '/name'],
        [{ name: 'a\0b', type: 'api-integration' }, '/name'],
        [{ name: 'a\nb', type: 'api-integration' }, '/name'],
        [{ name: 'a\u202eb', type: 'api-integration' }, '/name'],
        [{ name: '\u200b', type: 'api-integration' }, '/name'],
        [{ name: 'a\ufffd', type: 'api-integration' }, '/name'],
        [{ name: 'Push', type: 'other' }, '/type'],
      ] as const) {
        const response = await client.post('/integrations', body);
        assert.deepEqual([response.status, response.body.code], [400, 'invalid-body']);
        assert.deepEqual(
          response.body.errors.map((error: { pointer: string }) => error.pointer),
          [pointer],
        );
      }
    });
  });

  describe('the history', () => {
    it('equals that of the public API: syncs, one sync, records by outcome', async () => {
      const developer = await makeDeveloper();
      const { client } = developer;
      await developer.sync('one', entries(3));
      await developer.sync('two/ü', [anEntry(1, { firstName: 'Eva' }), anEntry(2), anEntry(4)]);
      const base = `/integrations/${developer.integrationId}/syncs`;
      const api = `/hr-${base.slice(1)}`;
      assert.deepEqual((await client.get(`${base}?perPage=1`)).body, (await developer.get(`${api}?perPage=1`)).body);
      const two = encodeURIComponent('two/ü');
      assert.deepEqual((await client.get(`${base}/${two}`)).body, (await developer.get(`${api}/${two}`)).body);
      assert.deepEqual(
        (await client.get(`${base}/${two}/records`)).body,
        (await developer.get(`${api}/${two}/records`)).body,
      );
      const some = await client.get(`${base}/${two}/records?outcomes=created&outcomes=offboarded`);
      assert.deepEqual(
        some.body.data.data.map((record: { outcome: string }) => record.outcome),
        ['offboarded', 'created'],
      );
      assert.equal((await client.get(`${base}/three`)).status, 404);
      assert.equal((await client.get(`${base}/three/records`)).status, 404);
      assert.equal((await client.get('/integrations/999999/syncs')).status, 404);
    });
  });

  describe('an uploaded roster', () => {
    for (const [kind, write, type] of [
      ['table', table, csv],
      ['list', (rows: RosterEntry[]) => JSON.stringify(rows), 'application/json'],
      [
        'body of the API',
        (rows: RosterEntry[]) => JSON.stringify({ syncId: 'mine', employees: rows }),
        'application/json',
      ],
    ] as const) {
      it(`has a preview that equals its effect, as a ${kind}`, async () => {
        const developer = await makeDeveloper();
        await sql`update companies set guard_minimum_linked = 5 where id = ${developer.companyId}`.execute(app.db);
        await developer.sync('before', entries(6));
        const rows = [
          anEntry(1, { firstName: 'Eva', autoSyncEmployee: true }),
          anEntry(3, { hrId: 'X3' }),
          anEntry(7, { autoSyncEmployee: true }),
        ];
        const preview = await developer.upload('preview', write(rows), type);
        assert.equal(preview.status, 200, preview.bytes.toString());
        assert.equal((await developer.employees()).length, 6);
        const accepted = await developer.upload('sync', write(rows), type);
        assert.equal(accepted.status, 202, accepted.bytes.toString());
        const { syncId } = accepted.body.data;
        const sync = await developer.finished(syncId);
        const { state, counts, entries: count, records } = preview.body.data;
        assert.deepEqual([state, counts, count], [sync.state, sync.counts, sync.entries]);
        assert.deepEqual(Object.values(counts), [1, 2, 0, 0, 4, 0]);
        const comparable = ({ employeeId: _, ...record }: { employeeId: unknown }) => record;
        assert.deepEqual(records.map(comparable), (await developer.records(syncId)).map(comparable));
        if (kind === 'body of the API') assert.equal(syncId, 'mine');
        else assert.match(syncId, /^upload-2026-11-15-[0-9a-f]{12}$/);
      });
    }

    it('is recorded with the user who pushed it, and so are its changes', async () => {
      const developer = await makeDeveloper();
      const { body } = await developer.upload('sync', table([anEntry(1, { autoSyncEmployee: true })]), csv);
      const sync = await developer.finished(body.data.syncId);
      assert.equal(sync.pushedBy, 'Dora Dev');
      const [applied] = await audited(developer, 'sync.apply');
      assert.deepEqual([applied?.actor_type, applied?.actor], ['user', developer.user.id]);
      const { id } = await developer.employee('E1');
      const [change] = await listSubscriptionChanges(app.db, developer.companyId, id);
      assert.deepEqual(change?.actor, { type: 'user', name: developer.user.id });
      const shown = await developer.client.get(`/employees/${id}`);
      assert.deepEqual(shown.body.data.history[0].actor, { type: 'user', name: 'Dora Dev' });
    });

    it('has at most 200 records in its preview, but counts all', async () => {
      const developer = await makeDeveloper();
      const { body } = await developer.upload('preview', table(entries(450)), csv);
      assert.deepEqual([body.data.records.length, body.data.counts.created, body.data.entries], [200, 450, 450]);
      assert.equal(body.data.records[199].hrId, 'E200');
    });

    it('is one sync while it waits, and a new sync if it is uploaded again later', async () => {
      const developer = await makeDeveloper();
      const upload = async (rows: RosterEntry[]) => (await developer.upload('sync', table(rows), csv)).body.data.syncId;
      const [one, again] = await Promise.all([upload(entries(2)), upload(entries(2))]);
      await developer.finished(one);
      await developer.finished(again);
      const other = await upload([anEntry(1, { firstName: 'Eva' }), anEntry(2)]);
      await developer.finished(other);
      assert.equal((await developer.employee('E1')).firstName, 'Eva');
      const back = await upload(entries(2));
      assert(back.startsWith(`${one}-`), back);
      assert(![one, again].includes(back));
      await developer.finished(back);
      assert.equal((await developer.employee('E1')).firstName, 'Anna');
    });

    it('reports every error of a table by line and column', async () => {
      const developer = await makeDeveloper();
      const file = `${table([anEntry(1), anEntry(2, { email: 'nowhere' })])}\r\nE1;;Muster;x@example.com;maybe\r\n`;
      for (const where of ['preview', 'sync'] as const) {
        const { status, body } = await developer.upload(where, file, csv);
        assert.deepEqual([status, body.code, body.errorCount], [422, 'invalid-roster', 4]);
        assert.deepEqual(
          body.errors.map((error: { pointer: string; code: string }) => `${error.pointer}: ${error.code}`),
          [
            'line 3, email: invalid-email',
            'line 5, firstName: required',
            'line 5, autoSyncEmployee: type',
            'line 5, hrId: duplicate-hr-id',
          ],
        );
        assert.match(body.detail, /line 3, email \(hrId E2\) must be an email address/);
      }
      assert.equal((await developer.client.get(`/integrations/${developer.integrationId}/syncs`)).body.data.total, 0);
    });

    it('reports every error of JSON by pointer', async () => {
      const developer = await makeDeveloper();
      const wrong = [anEntry(1), { ...anEntry(2), email: 5 }];
      for (const body of [wrong, { syncId: 's', employees: wrong }]) {
        const response = await developer.upload('sync', body);
        assert.deepEqual([response.status, response.body.errors[0].pointer], [422, '/employees/1/email']);
      }
      const unnamed = await developer.upload('sync', { employees: [anEntry(1)] });
      assert.deepEqual([unnamed.status, unnamed.body.errors[0].pointer], [422, '/syncId']);
      for (const text of ['', '[', '[{}', '[]x', `${JSON.stringify([anEntry(1)])},"x":1`, '{"syncId":"x"']) {
        assert.equal((await developer.upload('sync', text)).body.code, 'malformed-body', text);
      }
      const empty = await developer.upload('sync', '[]');
      assert.deepEqual([empty.status, empty.body.errors[0].code], [422, 'empty']);
    });

    it('is refused in other formats, and while the integration cannot sync', async () => {
      const developer = await makeDeveloper();
      assert.equal((await developer.upload('sync', 'x', 'text/plain')).status, 415);
      const zipped = await developer.client.post(`/integrations/${developer.integrationId}/sync`, 'x', {
        'content-type': csv,
        'content-encoding': 'gzip',
      });
      assert.equal(zipped.status, 415);
      await developer.client.post(`/integrations/${developer.integrationId}/status`, { status: 'inactive' });
      for (const where of ['preview', 'sync'] as const) {
        const response = await developer.upload(where, table(entries(1)), csv);
        assert.deepEqual([response.status, response.body.code], [409, 'sync-not-possible']);
      }
      await developer.client.post(`/integrations/${developer.integrationId}/status`, { status: 'active' });
      assert.equal((await developer.upload('sync', { syncId: 'mine', employees: entries(1) })).status, 202);
      const reused = await developer.upload('sync', { syncId: 'mine', employees: entries(2) });
      assert.deepEqual([reused.status, reused.body.code], [422, 'sync-id-reused']);
      const previewed = await developer.upload('preview', { syncId: 'mine', employees: entries(2) });
      assert.deepEqual([previewed.status, previewed.body.code], [422, 'sync-id-reused']);
      assert.equal((await developer.upload('preview', entries(2))).status, 200);
    });

    it('has the same warnings in the preview and in the sync', async () => {
      const developer = await makeDeveloper();
      const file =
        'hrId;firstName;lastName;email;dateOfBirth;Office\r\nE1;Anna;Muster;a@example.com;2027-01-01;Kiel\r\n';
      const preview = await developer.upload('preview', file, csv);
      const { syncId } = (await developer.upload('sync', file, csv)).body.data;
      await developer.finished(syncId);
      const shown = await developer.client.get(`/integrations/${developer.integrationId}/syncs/${syncId}`);
      assert.deepEqual(shown.body.data.warnings, preview.body.data.warnings);
      const places = shown.body.data.warnings.map(({ code, pointer }: SyncWarning) => `${code} ${pointer}`);
      assert.deepEqual(places, ['unknown-field line 2, Office', 'born-in-the-future line 2, dateOfBirth']);
    });

    it('clears a value by an empty cell and keeps it without the column', async () => {
      const developer = await makeDeveloper();
      const push = async (file: string) => {
        const { syncId } = (await developer.upload('sync', file, csv)).body.data;
        return developer.finished(syncId);
      };
      const head = 'hrId;firstName;lastName;email';
      const line = 'E1;Anna;Muster;a@example.com';
      const terminationDate = async () => {
        const { id } = await developer.employee('E1');
        return (await developer.client.get(`/employees/${id}`)).body.data.terminationDate;
      };
      await push(`${head};terminationDate\n${line};2027-03-31\n`);
      assert.equal(await terminationDate(), '2027-03-31');
      await push(`${head}\n${line}\n`);
      assert.equal(await terminationDate(), '2027-03-31');
      await push(`${head};terminationDate\n${line};\n`);
      assert.equal(await terminationDate(), null);
    });
  });

  describe('pending removals', () => {
    async function makeHeld() {
      const developer = await makeDeveloper();
      await sql`update companies set guard_minimum_linked = 5 where id = ${developer.companyId}`.execute(app.db);
      await developer.sync('one', entries(8));
      const sync = await developer.sync('two', entries(3));
      assert.equal(sync.counts.held, 5);
      const decide = (decision: string, confirm: unknown, syncId = 'two') =>
        developer.client.post(`/integrations/${developer.integrationId}/syncs/${syncId}/removals`, {
          decision,
          confirm,
        });
      return { developer, decide };
    }

    it('are applied only if their number is confirmed', async () => {
      const { developer, decide } = await makeHeld();
      for (const number of [4, 6, 0, -5]) {
        const response = await decide('approved', number);
        assert.deepEqual([response.status, response.body.code], [409, 'confirmation-mismatch']);
      }
      assert.equal((await developer.finished('two')).heldRemovals, 'pending');
      assert.equal((await developer.employees()).length, 8);
      assert.equal((await decide('approved', 5)).status, 204);
      assert.equal((await developer.employees()).length, 3);
      const [entry] = await audited(developer, 'sync.approve-removals');
      assert.deepEqual([entry?.actor_type, entry?.actor], ['user', developer.user.id]);
      const { data: sync } = (await developer.client.get(`/integrations/${developer.integrationId}/syncs/two`)).body;
      assert.deepEqual([sync.state, sync.approvedBy], ['succeeded', 'Dora Dev']);
      const again = await decide('approved', 5);
      assert.deepEqual([again.status, again.body.code], [409, 'no-removals-held']);
    });

    it('are not applied if a user rejects them', async () => {
      const { developer, decide } = await makeHeld();
      assert.equal((await decide('rejected', 4)).body.code, 'confirmation-mismatch');
      assert.equal((await decide('rejected', 5)).status, 204);
      assert.equal((await developer.employees()).length, 8);
      assert.equal((await developer.finished('two')).heldRemovals, 'rejected');
      assert.equal((await audited(developer, 'sync.reject-removals'))[0]?.actor, developer.user.id);
    });

    it('do not exist for a sync without any', async () => {
      const { decide } = await makeHeld();
      assert.equal((await decide('approved', 0, 'one')).body.code, 'no-removals-held');
      assert.equal((await decide('approved', 0, 'three')).status, 404);
      const odd = await decide('perhaps', '5');
      assert.deepEqual([odd.status, odd.body.code, odd.body.errors.length], [400, 'invalid-body', 2]);
    });
  });
});
