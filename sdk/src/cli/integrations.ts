import { type Command, numberOf } from './define.ts';
import { formatTable, print, printJson } from './terminal.ts';

const list: Command = {
  name: 'integrations list',
  description: 'List integrations, and whether they accept rosters',
  options: {},
  async run({ terminal, connect, signal }) {
    const integrations = await connect().hrIntegrations.list({ signal }).toArray();
    if (terminal.isJson) await printJson(terminal, integrations);
    else {
      const rows = integrations.map(({ id, name, type, status, canTriggerSync, lastSynced, lastSyncStatus }) => [
        ...[id, name, type, status, canTriggerSync ? 'yes' : 'no', lastSynced, lastSyncStatus],
      ]);
      const headings = ['id', 'name', 'type', 'status', 'accepts rosters', 'last synced', 'outcome'];
      await print(terminal, formatTable(headings, rows));
    }
    return undefined;
  },
};

const listSyncs: Command = {
  name: 'syncs list',
  description: 'List syncs, newest first',
  options: {
    integration: { type: 'string', value: 'ID', description: 'Only those of this integration (default: of all)' },
    limit: { type: 'string', value: 'N', description: 'At most so many per integration (default 20)' },
  },
  async run(context) {
    const { terminal, signal } = context;
    const { hrIntegrations } = context.connect();
    const limit = numberOf(context, 'limit') ?? 20;
    const given = numberOf(context, 'integration');
    const ids = given === undefined ? (await hrIntegrations.list({ signal }).toArray()).map(({ id }) => id) : [given];
    const found = await Promise.all(
      ids.map(async (integrationId) =>
        (await hrIntegrations.syncs(integrationId, { signal }).toArray(limit)).map((sync) => ({ integrationId, sync })),
      ),
    );
    const syncs = found.flat().sort((a, b) => b.sync.acceptedAt.localeCompare(a.sync.acceptedAt));
    if (terminal.isJson)
      await printJson(
        terminal,
        syncs.map(({ integrationId, sync }) => ({ integrationId, ...sync })),
      );
    else {
      const rows = syncs.map(({ integrationId, sync: { syncId, state, acceptedAt, entries, counts } }) => [
        ...[integrationId, syncId, state, acceptedAt, entries],
        ...[counts.created, counts.updated, counts.offboarded, counts.held, counts.failed],
      ]);
      const headings = [
        'integration',
        'sync',
        'state',
        'accepted',
        'entries',
        'created',
        'updated',
        'offboarded',
        'held',
        'failed',
      ];
      await print(terminal, formatTable(headings, rows));
    }
    return undefined;
  },
};

export const integrationCommands = [list, listSyncs];
