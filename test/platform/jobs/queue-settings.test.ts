import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prepareQueue } from '../../../src/platform/jobs/queue.ts';
import { connectAs, useDatabase } from '../../support/database.ts';

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
