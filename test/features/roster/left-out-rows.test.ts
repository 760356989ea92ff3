import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useApp } from '../../support/app.ts';
import { usePortal } from '../../support/portal.ts';
import { before } from '../../support/prepare.ts';
import { usePusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const app = useApp({ worker: 'without documents' });
const pusher = usePusher(app);
const client = usePortal(app, pusher);

const heading = 'Personalnummer;Vorname;Nachname;E-Mail;Eintrittsdatum';
const rowOf = (number: number, start = '01.03.2024') => `E-${number};Anna;Meier;anna${number}@example.com;${start}`;
const csv = (...rows: string[]) => [heading, ...rows].join('\r\n');
const send = (what: 'preview' | 'sync', body: string, query = '') =>
  client.post(`/integrations/${pusher.integrationId}/${what}${query}`, body, { 'content-type': 'text/csv' });
const listHrIds = async () => (await pusher.employees()).map(({ hrIntergartionLinks: [link] }) => link.hrId).toSorted();

async function upload(body: string, query = ''): Promise<string> {
  const { status, body: answer } = await send('sync', body, query);
  assert.equal(status, 202, JSON.stringify(answer));
  const { syncId } = answer.data;
  const path = `/integrations/${pusher.integrationId}/syncs/${encodeURIComponent(syncId)}`;
  await until('it is applied', async () => (await client.get(path)).body.data.state === 'succeeded');
  return syncId;
}

before(async () => {
  await upload(csv(rowOf(1), rowOf(2), rowOf(3), rowOf(4)), '?fileName=Personal.csv');
});

it('titles a sync with the name of its file', async () => {
  const { body } = await client.get(`/integrations/${pusher.integrationId}/syncs`);
  assert.equal(body.data.data[0].fileName, 'Personal.csv');
});

it('names the column as the file does, and the date that does not exist', async () => {
  const { status, body } = await send('preview', csv(rowOf(1), rowOf(2, '31.02.2026')));
  assert.equal(status, 422);
  const [error] = body.errors;
  assert.equal(error.pointer, 'row 3, Eintrittsdatum');
  assert.deepEqual(error.message, { key: 'entry-no-such-date', values: { day: '2026-02-31' } });
});

it('recognizes a PDF', async () => {
  const { status, body } = await send('preview', '%PDF-1.7\nabc');
  assert.deepEqual([status, body.message.key], [400, 'table-pdf']);
});

it('leaves rows with errors out if their number is confirmed, and keeps the employees in them', async () => {
  const broken = csv(rowOf(1), rowOf(2, '31.02.2026'), 'E-9;Anna;Meier;anna3@example.com;soon');
  const wrong = await send('preview', broken, '?leaveOut=1');
  assert.deepEqual([wrong.status, wrong.body.code], [409, 'confirmation-mismatch']);
  const { body } = await send('preview', broken, '?leaveOut=2');
  const { counts, warnings } = body.data;
  assert.deepEqual([counts.offboarded, counts.unchanged, counts.created], [1, 1, 0], 'only E-4 is missing');
  const [warning] = warnings;
  assert.deepEqual(
    [warning.code, warning.records],
    [
      'left-out',
      [
        { hrId: 'E-2', pointer: 'row 3' },
        { hrId: 'E-9', pointer: 'row 4' },
      ],
    ],
  );
  await upload(broken, '?leaveOut=2');
  assert.deepEqual(await listHrIds(), ['E-1', 'E-2', 'E-3'], 'E-3 by the email address of their row');
  const { rows } = { rows: await app.db.selectFrom('syncs').select('left_out').execute() };
  assert(
    rows.every(({ left_out }) => left_out === null),
    'nothing of them is kept',
  );
});

it('offboards nobody if a row that is left out does not say whose it is', async () => {
  const { body } = await send('preview', csv(rowOf(1), ';Anna;Meier;;01.03.2024'), '?leaveOut=1');
  assert.deepEqual([body.data.counts.offboarded, body.data.counts.unchanged], [0, 1]);
});
