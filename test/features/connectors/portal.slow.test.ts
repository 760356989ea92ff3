import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Role } from '../../../src/domain/enums.ts';
import { listSubscriptionChanges } from '../../../src/features/employees/history.ts';
import type { SyncWarning } from '../../../src/features/roster/contract.ts';
import { publishProgress } from '../../../src/features/roster/counts.ts';
import type { RosterEntry } from '../../../src/features/roster/rules/entry.ts';
import { workbookType } from '../../../src/platform/table/read-workbook.ts';
import { useApp } from '../../support/app.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn, type TestUser } from '../../support/portal.ts';
import { useEach } from '../../support/prepare.ts';
import { rowOf } from '../../support/rows.ts';
import { anEntry, entries, makePusher, type Pusher } from '../../support/sync.ts';
import { writeWorkbook } from '../../support/xlsx.ts';

interface Developer extends Pusher {
  user: TestUser;
  client: PortalClient;
  /** Posts to an address below the integration. */
  upload(where: string, body: unknown, type?: string): ReturnType<PortalClient['post']>;
}

const csv = 'text/csv; charset=utf-8';

const columns = ['hrId', 'firstName', 'lastName', 'email', 'autoSyncEmployee'] as const;
const table = (rows: RosterEntry[]) =>
  [columns.join(';'), ...rows.map((row) => columns.map((column) => row[column] ?? '').join(';')), ''].join('\r\n');

/** Returns records as the API presents them, which has no messages. */
const without =
  (...names: string[]) =>
  (value: unknown) =>
    JSON.parse(JSON.stringify(value, (name, one) => (names.includes(name) ? undefined : one)));
const withoutMessages = without('message');
/** The portal builds its own links. */
const withoutLinks = without('_links');

/** Removes what the portal adds to the syncs of the API, and checks it: keys by name, reasons that it translates. */
function asInApi(value: unknown): unknown {
  const added = new Set(['fileName', 'keyName', 'message']);
  const found: unknown[] = [];
  const rest = JSON.parse(
    JSON.stringify(value, (name, one) => {
      if (name === 'effects') return undefined;
      if (!added.has(name)) return one;
      found.push(one);
      return undefined;
    }),
  );
  assert.deepEqual(new Set(found), new Set(['Test key', null]));
  return rest;
}

describe('integrations in the portal', () => {
  const app = useApp({ worker: 'without documents' });

  async function makeDeveloper(role: Role = 'developer'): Promise<Developer> {
    const pusher = await makePusher(app);
    const user = await makeUser(app, pusher.companyId, role, { name: 'Dora Dev' });
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
      assert.deepEqual(pluck((await client.get('/integrations')).body.data, 'id'), [developer.integrationId, id]);
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
        assert.deepEqual(pluck(response.body.errors, 'pointer'), [pointer]);
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
      const first = (await client.get(`${base}?perPage=1`)).body;
      assert.deepEqual(asInApi(first), (await developer.get(`${api}?perPage=1`)).body);
      const two = encodeURIComponent('two/ü');
      const one = (await client.get(`${base}/${two}`)).body;
      assert.deepEqual(asInApi(one), (await developer.get(`${api}/${two}`)).body);
      const records = (await client.get(`${base}/${two}/records`)).body;
      assert.deepEqual(withoutMessages(records), withoutLinks((await developer.get(`${api}/${two}/records`)).body));
      const keys = records.data.data.map(({ message }: { message: { key: string } }) => message.key);
      assert.deepEqual([...new Set(keys)].sort(), ['record-created', 'record-removed', 'record-updated']);
      const some = await client.get(`${base}/${two}/records?outcomes=created&outcomes=offboarded`);
      assert.deepEqual(pluck(some.body.data.data, 'outcome'), ['offboarded', 'created']);
      assert.equal((await client.get(`${base}/three`)).status, 404);
      assert.equal((await client.get(`${base}/three/records`)).status, 404);
      assert.equal((await client.get('/integrations/999999/syncs')).status, 404);
    });
  });

  describe('the progress of a sync', () => {
    it('is seen while its transaction is open, by its company only', async () => {
      const developer = await makeDeveloper();
      const other = await makeDeveloper();
      await developer.sync('one', entries(2));
      const { id: syncKey } = await rowOf(app.db, 'syncs', { company_id: developer.companyId }, ['id']);
      const read = async ({ client, integrationId }: Developer) =>
        (await client.get(`/integrations/${integrationId}/syncs/one/progress`)).body.data;
      assert.deepEqual(await read(developer), { entries: 2, written: null, canRetry: false });
      await app.serviceDb.transaction().execute(async (tx) => {
        const { companyId } = developer;
        const counts = { created: 1, updated: 0, unchanged: 0, offboarded: 3, held: 0, failed: 0 };
        await publishProgress(tx, { companyId, syncKey }, counts);
        assert.deepEqual(await read(developer), { entries: 2, written: 1, canRetry: false });
        await other.sync('one', entries(1));
        assert.deepEqual(await read(other), { entries: 1, written: null, canRetry: false });
      });
      assert.deepEqual(await read(developer), { entries: 2, written: null, canRetry: false });
    });
  });

  describe('an uploaded roster', () => {
    const developer = useEach(() => makeDeveloper());

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
        type Compared = { employeeId: unknown; name?: unknown; resource?: unknown; _links?: unknown };
        const comparable = ({ employeeId: _, name: __, resource: ___, _links: ____, ...record }: Compared) => record;
        const outcome = (await developer.records(syncId)).map(comparable);
        const isHeld = ({ outcome }: { outcome?: unknown }) => outcome === 'held';
        const changesFirst = [...outcome.filter((one) => !isHeld(one)), ...outcome.filter(isHeld)];
        assert.deepEqual(withoutMessages(records.map(comparable)), changesFirst);
        assert.equal(records[0].name, 'Anna Muster1');
        assert.deepEqual(records.find((one: { outcome: string }) => one.outcome === 'created').name, 'Anna Muster7');
        if (kind === 'body of the API') assert.equal(syncId, 'mine');
        else assert.match(syncId, /^upload-2026-11-15-[0-9a-f]{12}$/);
      });
    }

    it('is recorded with the user who pushed it, and so are its changes', async () => {
      const { body } = await developer.upload('sync', table([anEntry(1, { autoSyncEmployee: true })]), csv);
      const sync = await developer.finished(body.data.syncId);
      assert.equal(sync.pushedBy, 'Dora Dev');
      const [applied] = await audited(developer, 'sync.apply');
      assert.deepEqual([applied?.actor_type, applied?.actor], ['user', developer.user.id]);
      const { id } = await developer.employee('E1');
      const [change] = await listSubscriptionChanges(app.db, developer.companyId, id);
      assert.deepEqual(change?.actor, { type: 'user', name: developer.user.id });
      const shown = await developer.client.get(`/employees/${id}`);
      assert.deepEqual(shown.body.data.history[0].actor, { type: 'user', name: 'Dora Dev', username: null });
    });

    it('has every record in its preview', async () => {
      const { body } = await developer.upload('preview', table(entries(250)), csv);
      assert.deepEqual([body.data.records.length, body.data.counts.created, body.data.entries], [250, 250, 250]);
    });

    it('may be an Excel file with unknown columns, whose meaning is remembered per integration', async () => {
      const file = writeWorkbook({
        Liste: [
          ['Nummer', 'Vorname', 'Nachname', 'E-Mail', 'Eintritt', 'Kürzel'],
          ['E1', 'Jörg', 'Größe', 'j@example.com', new Date('2026-12-01'), 'JG'],
        ],
      });
      const inspect = async (pusher = developer) => {
        const { status, body } = await pusher.upload('inspect', file, workbookType);
        assert.equal(status, 200, JSON.stringify(body));
        return body.data;
      };
      const { columns, ...format } = await inspect();
      assert.deepEqual(format, { type: 'workbook', encoding: null, headingRow: 1, rowCount: 1 });
      assert.deepEqual(columns[0], { heading: 'Nummer', field: null, source: null, samples: ['E1'] });
      assert.deepEqual(columns[4], {
        heading: 'Eintritt',
        field: 'startDate',
        source: 'recognized',
        samples: ['2026-12-01'],
      });
      const choices = ['hrId', 'firstName', 'lastName', 'email', 'startDate', 'ignore'];
      const query = `?${choices.map((one) => `columns=${one}`).join('&')}`;
      assert.equal((await developer.upload('preview', file, workbookType)).body.code, 'invalid-roster');
      const preview = await developer.upload(`preview${query}`, file, workbookType);
      assert.deepEqual([preview.status, preview.body.data.records[0].name], [200, 'Jörg Größe']);
      assert.equal((await inspect()).columns[0].source, null);
      const { body } = await developer.upload(`sync${query}`, file, workbookType);
      await developer.finished(body.data.syncId);
      assert.equal((await developer.employee('E1')).lastName, 'Größe');
      const again = (await inspect()).columns;
      assert.deepEqual(
        again.map((column: { field: string | null }) => column.field ?? 'ignore'),
        choices,
      );
      assert(again.every((column: { source: string }) => column.source === 'remembered'));
      assert.equal((await inspect(await makeDeveloper())).columns[0].source, null);
    });

    it('is one sync while it waits, and a new sync if it is uploaded again later', async () => {
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

    it('reports every error of a table by row and column', async () => {
      const file = `${table([anEntry(1), anEntry(2, { email: 'nowhere' })])}\r\nE1;;Muster;x@example.com;maybe\r\n`;
      for (const where of ['preview', 'sync'] as const) {
        const { status, body } = await developer.upload(where, file, csv);
        assert.deepEqual([status, body.code, body.errorCount], [422, 'invalid-roster', 4]);
        assert.deepEqual(
          body.errors.map((error: { pointer: string; code: string }) => `${error.pointer}: ${error.code}`),
          [
            'row 3, email: invalid-email',
            'row 5, firstName: required',
            'row 5, autoSyncEmployee: type',
            'row 5, hrId: duplicate-hr-id',
          ],
        );
        assert.match(body.detail, /row 3, email \(hrId E2\) must be an email address/);
      }
      assert.equal((await developer.client.get(`/integrations/${developer.integrationId}/syncs`)).body.data.total, 0);
    });

    it('reports every error of JSON by pointer', async () => {
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
      const file =
        'hrId;firstName;lastName;email;dateOfBirth;Office\r\nE1;Anna;Muster;a@example.com;2027-01-01;Kiel\r\n';
      const preview = await developer.upload('preview', file, csv);
      const { syncId } = (await developer.upload('sync', file, csv)).body.data;
      await developer.finished(syncId);
      const shown = await developer.client.get(`/integrations/${developer.integrationId}/syncs/${syncId}`);
      assert.deepEqual(shown.body.data.warnings, preview.body.data.warnings);
      const places = shown.body.data.warnings.map(({ code, pointer }: SyncWarning) => `${code} ${pointer}`);
      assert.deepEqual(places, ['unknown-field row 2, Office', 'born-in-the-future row 2, dateOfBirth']);
    });

    it('clears a value by an empty cell and keeps it without the column', async () => {
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
      // Developers may not decide on removals.
      const developer = await makeDeveloper('admin');
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

    it('can be approved for some employees, while the others stay pending', async () => {
      const { developer } = await makeHeld();
      const base = `/integrations/${developer.integrationId}/syncs/two`;
      const held = (await developer.client.get(`${base}/records?outcomes=held`)).body.data.data;
      const [first, second, ...rest] = held.map((record: { employeeId: number }) => record.employeeId);
      const approve = (employeeIds: number[], confirm: number) =>
        developer.client.post(`${base}/removals`, { decision: 'approved', confirm, employeeIds });
      assert.equal((await approve([first, second], 5)).body.code, 'confirmation-mismatch');
      assert.equal((await approve([first, 999_999_999], 2)).body.code, 'confirmation-mismatch');
      assert.equal((await approve([first, second], 2)).status, 204);
      assert.equal((await developer.employees()).length, 6);
      const { heldRemovals, counts, state } = await developer.finished('two');
      assert.deepEqual([heldRemovals, counts.held, counts.offboarded, state], ['pending', 3, 2, 'partially-failed']);
      assert.equal((await approve([first], 1)).body.code, 'confirmation-mismatch', 'was approved already');
      assert.equal((await approve(rest, 3)).status, 204);
      const done = await developer.finished('two');
      assert.deepEqual([done.heldRemovals, done.counts.held, done.state], ['approved', 0, 'succeeded']);
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
