import { type Static, Type } from 'typebox';
import type { HrIntegration } from '../features/integrations/contract.ts';
import { pushPermissions } from '../features/integrations/rules/status.ts';
import type { Sync, SyncPreviewSchema, SyncRecord } from '../features/roster/contract.ts';
import { Nullable } from '../platform/http/schemas.ts';
import { type CallApi, requireData } from './call-api.ts';
import { defineTool, withQuery } from './tool.ts';

const mostRecords = 20;
const mostPreviewed = 100;

const Record = Type.Object({
  hrId: Type.String(),
  employeeId: Nullable(Type.Integer()),
  outcome: Type.String(),
  code: Type.String(),
  explanation: Type.String(),
});

const summarize = ({ hrId, employeeId, outcome, code, detail }: SyncRecord) => ({
  ...{ hrId, employeeId, outcome, code, explanation: detail },
});

interface Problem {
  integrationId: number;
  integration: string;
  problem: string;
  syncId: string | null;
  reason: string | null;
  count: number | null;
  records: ReturnType<typeof summarize>[];
}

const connectionProblems: Partial<Record<HrIntegration['status'], string>> = {
  invalid: 'The credentials were revoked or have expired. Connect the HR system again.',
  inactive: 'The integration is disabled.',
};

async function listRecords(call: CallApi, id: number, syncId: string, outcome: string) {
  const path = `/hr-integrations/${id}/syncs/${encodeURIComponent(syncId)}/records`;
  const found = await call(withQuery(path, { outcome, perPage: mostRecords }));
  // A key that may not see employees still learns that records failed.
  return found.isOk ? (found.data as { data: SyncRecord[] }).data.map(summarize) : [];
}

/** Returns what is wrong with the newest sync of an integration, and with removals that wait. */
async function examineSync(call: CallApi, { id, name }: HrIntegration): Promise<Problem[]> {
  const syncs = await requireData<{ data: Sync[] }>(call(`/hr-integrations/${id}/syncs?perPage=1`));
  const [sync] = syncs.data;
  if (sync === undefined) return [];
  const { syncId, state, reason, counts, heldRemovals } = sync;
  const base = { integrationId: id, integration: name, syncId };
  const problems: Problem[] = [];
  if (state === 'failed' || state === 'authentication-failed') {
    problems.push({ ...base, problem: 'The last sync failed. Nothing was changed.', reason, count: null, records: [] });
  }
  if (counts.failed > 0) {
    const records = await listRecords(call, id, syncId, 'failed');
    problems.push({ ...base, problem: 'Some records of the last sync failed.', reason, count: counts.failed, records });
  }
  if (heldRemovals === 'pending') {
    const records = await listRecords(call, id, syncId, 'held');
    const problem = 'So many employees are missing from the roster that their removal needs approval in the portal.';
    problems.push({ ...base, problem, reason: null, count: counts.held, records });
  }
  return problems;
}

async function examine(call: CallApi, integration: HrIntegration): Promise<Problem[]> {
  const { id, name, status, lastSyncStatus } = integration;
  const connection = connectionProblems[status];
  const base = { integrationId: id, integration: name, syncId: null, reason: null, count: null, records: [] };
  return [
    ...(connection === undefined ? [] : [{ ...base, problem: connection }]),
    ...(lastSyncStatus === null || lastSyncStatus === 'succeeded' ? [] : await examineSync(call, integration)),
  ];
}

export const listProblems = defineTool({
  name: 'list_problems',
  title: 'List problems',
  description:
    'Lists what needs attention: HR integrations that are disabled or lost their connection, syncs that failed, records that failed, and removals that wait for approval.',
  permissions: ['view-hr-integrations'],
  input: Type.Object({}),
  output: Type.Object({
    problems: Type.Array(
      Type.Object({
        integrationId: Type.Integer(),
        integration: Type.String(),
        problem: Type.String(),
        syncId: Nullable(Type.String()),
        reason: Nullable(Type.String()),
        count: Nullable(Type.Integer(), 'How many records are affected. The first 20 are listed.'),
        records: Type.Array(Record),
      }),
    ),
  }),
  freeText: ['/problems/*/integration', '/problems/*/syncId', '/problems/*/reason', '/problems/*/records/*/hrId'],
  async run(_input, { call }) {
    const { data } = await requireData<{ data: HrIntegration[] }>(call('/hr-integrations?perPage=100'));
    const problems: Problem[] = [];
    for (const integration of data) problems.push(...(await examine(call, integration)));
    return { problems };
  },
});

const RosterEntry = Type.Object(
  {
    hrId: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    email: Type.String(),
  },
  { additionalProperties: true, description: 'Further fields as in the API: startDate, terminationDate, absences, …' },
);

export const previewSync = defineTool({
  name: 'preview_sync',
  title: 'Preview a sync',
  description:
    'Shows what a roster would do if it were sent: who would be added, changed or offboarded, and what would fail. Changes nothing. The roster must contain all employees, because those who are missing count as having left.',
  permissions: pushPermissions,
  input: Type.Object({
    hrIntegrationId: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    employees: Type.Array(RosterEntry, { minItems: 1, maxItems: 1_000 }),
  }),
  output: Type.Object({
    counts: Type.Object({
      ...{ created: Type.Integer(), updated: Type.Integer(), unchanged: Type.Integer() },
      ...{ offboarded: Type.Integer(), held: Type.Integer(), failed: Type.Integer() },
    }),
    records: Type.Array(Record, { description: 'The first 100.' }),
    warnings: Type.Array(Type.Object({ field: Type.String(), count: Type.Integer(), explanation: Type.String() })),
  }),
  freeText: ['/records/*/hrId', '/warnings/*/field'],
  async run({ hrIntegrationId, employees }, { call }) {
    const path = `/hr-integrations/${hrIntegrationId}/sync?dryRun=true`;
    const preview = await requireData<Static<typeof SyncPreviewSchema>>(call(path, { syncId: 'preview', employees }));
    const warnings = preview.warnings.map(({ field, count, detail }) => ({ field, count, explanation: detail }));
    return { counts: preview.counts, records: preview.records.slice(0, mostPreviewed).map(summarize), warnings };
  },
});
