import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { pino } from 'pino';
import { type Handlers, openQueue, prepareQueue } from '../../../src/platform/jobs/queue.ts';
import { connectAs, useDatabase } from '../../support/database.ts';
import { useResource } from '../../support/prepare.ts';
import { until } from '../../support/until.ts';

const nothing = async () => {};

const handlers: Handlers = {
  'apply-syncs': nothing,
  'schedule-daily-runs': nothing,
  'run-daily': nothing,
  'write-documents': nothing,
  'write-invoices': nothing,
  'remove-files': nothing,
  'decide-contracts': nothing,
  'send-mails': nothing,
  'send-employee-mails': nothing,
  'mail-access-link': nothing,
  'restore-lost-jobs': nothing,
  'expire-requests': nothing,
  'schedule-pulls': nothing,
  'pull-rosters': nothing,
  'process-orders': nothing,
  'collect-scim-changes': nothing,
  refusePulls: async () => {},
};

describe('The queue of a worker', () => {
  const database = useDatabase();
  const queue = useResource(() => openQueue({ url: database.url, worker: true, log: pino({ level: 'silent' }) }));
  let scheduled = 0;

  it('is not consumed before the work begins', () => assert.equal(queue.isConsuming(), false));

  it('is consumed while every worker fetches jobs', async () => {
    await queue.work({ ...handlers, 'schedule-pulls': async () => void scheduled++ });
    assert.equal(queue.isConsuming(), true);
  });

  it('runs the jobs of schedules, which have no data', async () => {
    const admin = await connectAs(database.adminUrl);
    try {
      await admin.query(`insert into queue.job (name, data) values ('schedule-pulls', null)`);
    } finally {
      await admin.end();
    }
    await until('the job has run', async () => scheduled > 0);
  });

  it('is not consumed once a worker has fetched nothing for a minute, and again when it does', async () => {
    const locker = await connectAs(database.adminUrl);
    try {
      await locker.query('begin');
      await locker.query('lock table queue.job');
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 });
      await until('a worker waits', async () => !queue.isConsuming());
      await locker.query('rollback');
      await until('every worker has fetched again', async () => queue.isConsuming());
    } finally {
      mock.timers.reset();
      await locker.end();
    }
  });

  it('is not consumed once it stops', async () => {
    await queue.stop();
    assert.equal(queue.isConsuming(), false);
  });
});

describe('The settings of the queue', () => {
  const database = useDatabase();

  const open = () => prepareQueue(database.ownerUrl);

  it('are updated at start, even if an older version created the queue', async () => {
    await open();
    const client = await connectAs(database.ownerUrl);
    const settings = async () =>
      (await client.query('select name, policy, retry_delay_max, heartbeat_seconds from queue.queue order by name'))
        .rows;
    const wanted = await settings();
    await client.query('update queue.queue set retry_delay_max = retry_delay_max + 1, heartbeat_seconds = 60');
    assert.notDeepEqual(await settings(), wanted);
    await open();
    assert.deepEqual(await settings(), wanted);
    await client.end();
  });
});
