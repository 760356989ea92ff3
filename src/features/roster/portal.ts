import { writeCompany } from '../../platform/db/write.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { createLineExport, ExportedLines } from '../../platform/http/portal/export-lines.ts';
import { NoContent } from '../../platform/http/portal/operation.ts';
import { IdParams, PageOf } from '../../platform/http/schemas.ts';
import { EffectsSchema } from '../billing/contract.ts';
import {
  AddedEmployeeSchema,
  DecisionPreviewSchema,
  EmployeeChangesBody,
  GroupBody,
  GroupPreviewSchema,
  NewEmployeeBody,
  PreviewGroupBody,
} from '../employees/contract.ts';
import { getIntegration } from '../integrations/change-integration.ts';
import { IntegrationParams } from '../integrations/contract.ts';
import { targetOf } from '../integrations/portal.ts';
import { portalRoutes } from '../portal-route.ts';
import { canRetrySync, getSync, retrySync } from './accept.ts';
import { addByHand, changeByHand, previewChange, previewNew } from './by-hand.ts';
import {
  ExplainedRecordSchema,
  ExplainedRecordsQuery,
  ExplainedSyncSchema,
  RemovalDecisionBody,
  RemovalEffectsQuery,
  SyncParams,
  SyncProgressSchema,
  SyncsQuery,
} from './contract.ts';
import { findProgress } from './counts.ts';
import { previewGroup, setGroup } from './group-by-hand.ts';
import { decideRemovals, previewRemovals } from './pending-removals.ts';
import { createSyncPresenter, presentExplainedRecord } from './present.ts';
import { listSyncRecords, listSyncs } from './store.ts';

const employeeParams = IdParams('employee');

export const syncRoutes = portalRoutes((route, context) => {
  const { db, clock, queue, links, streaming, slots, notices, employeeMails } = context;
  const sendLines = createLineExport(context);

  route('GET /integrations/:id/syncs', {
    summary: 'List syncs',
    access: 'read',
    params: IntegrationParams,
    query: SyncsQuery,
    returns: PageOf(ExplainedSyncSchema),
    async handle({ query, ...call }) {
      const target = targetOf(call);
      const page = await listSyncs(db, target, query);
      if (page.total === 0) await getIntegration(db, target.companyId, target.hrIntegrationId);
      const present = await createSyncPresenter(db, target, page.rows);
      return presentPage(page, query, (row) => present(row, links));
    },
  });

  route('GET /integrations/:id/syncs/:syncId', {
    summary: 'Get a sync',
    access: 'read',
    params: SyncParams,
    data: ExplainedSyncSchema,
    async handle(call) {
      const target = targetOf(call);
      const row = await getSync(db, target, call.params.syncId);
      const present = await createSyncPresenter(db, target, [row]);
      return present(row, links);
    },
  });

  route('GET /integrations/:id/syncs/:syncId/progress', {
    summary: 'Get the progress of a running sync',
    access: 'read',
    params: SyncParams,
    data: SyncProgressSchema,
    async handle(call) {
      const target = targetOf(call);
      const sync = await getSync(db, target, call.params.syncId);
      const written = await findProgress(db, target.companyId, sync.id);
      return { entries: sync.entries, written: written ?? null, canRetry: await canRetrySync(db, target, sync) };
    },
  });

  route('POST /integrations/:id/syncs/:syncId/retry', {
    summary: 'Apply the stored roster of a failed sync again',
    description: 'A roster that was sent is stored until the next one arrives, but for at most a week.',
    access: 'syncs',
    params: SyncParams,
    status: 202,
    returns: NoContent,
    problems: ['sync-not-possible'],
    async handle({ request, reply, user, ...call }) {
      const target = targetOf(call);
      const by = { userId: user.id, requestId: request.id, now: clock.now() };
      await writeCompany(db, target.companyId, (tx) =>
        retrySync(tx, queue, { target, syncId: call.params.syncId, by }),
      );
      return reply.send() as never;
    },
  });

  route('GET /integrations/:id/syncs/:syncId/records', {
    summary: 'List the records of a sync',
    access: 'read',
    params: SyncParams,
    query: ExplainedRecordsQuery,
    returns: PageOf(ExplainedRecordSchema),
    async handle({ query, ...call }) {
      const target = targetOf(call);
      const { id } = await getSync(db, target, call.params.syncId);
      const page = await listSyncRecords(db, target, id, { ...query, notableFirst: true });
      return presentPage(page, query, presentExplainedRecord);
    },
  });

  route('GET /integrations/:id/syncs/:syncId/records/export', {
    summary: 'Export the records of a sync',
    description: 'All records that match the filters, one line of JSON each.',
    access: 'read',
    params: SyncParams,
    query: ExplainedRecordsQuery,
    returns: ExportedLines,
    // A HEAD request would read everything and discard it.
    options: { exposeHeadRoute: false },
    async handle({ reply, query, ...call }) {
      const target = targetOf(call);
      const { id } = await getSync(db, target, call.params.syncId);
      return sendLines(call.user, reply, {
        read: (tx, page) => listSyncRecords(tx, target, id, { ...query, ...page }),
        present: presentExplainedRecord,
      });
    },
  });

  route('GET /integrations/:id/syncs/:syncId/removals', {
    summary: 'Preview the approval of the pending removals of a sync',
    access: 'removals',
    params: SyncParams,
    query: RemovalEffectsQuery,
    data: EffectsSchema,
    handle: ({ companyId, query: { employeeIds }, params: { id: hrIntegrationId, syncId } }) =>
      slots.longRunning.run({ companyId }, () =>
        previewRemovals(streaming.db, clock, { companyId, hrIntegrationId }, { syncId, employeeIds }),
      ),
  });

  route('POST /integrations/:id/syncs/:syncId/removals', {
    summary: 'Approve or reject the pending removals of a sync',
    access: 'removals',
    stepUp: true,
    params: SyncParams,
    body: RemovalDecisionBody,
    problems: ['confirmation-mismatch', 'no-removals-held'],
    async handle({ companyId, by, params: { id: integration, syncId }, body }) {
      const { confirm: confirmed, ...decision } = body;
      // Many employees may be removed at once, which can take longer than the limit for other requests.
      const deps = { db: streaming.db, companyId, clock, queue, notices, employeeMails };
      await slots.longRunning.run({ companyId }, () =>
        decideRemovals(deps, { integration, syncId, by, confirmed, ...decision }),
      );
    },
  });

  route('POST /employees/preview', {
    summary: 'Preview an employee added by hand',
    access: 'decisions',
    body: NewEmployeeBody,
    data: DecisionPreviewSchema,
    problems: ['decision-refused'],
    handle: ({ companyId, body }) => previewNew({ db, companyId, clock }, body),
  });

  route('POST /employees', {
    summary: 'Add an employee by hand',
    description: 'No roster removes them, until one contains their email address.',
    access: 'decisions',
    body: NewEmployeeBody,
    status: 201,
    data: AddedEmployeeSchema,
    problems: ['decision-refused'],
    async handle({ companyId, by, body }) {
      const { employeeId } = await addByHand({ db, companyId, clock, queue, notices, employeeMails }, body, by.actor);
      return { id: employeeId };
    },
  });

  route('POST /employees/:id/changes/preview', {
    summary: 'Preview a change of an employee by hand',
    access: 'decisions',
    params: employeeParams,
    body: EmployeeChangesBody,
    data: DecisionPreviewSchema,
    problems: ['decision-refused'],
    handle: ({ companyId, params: { id: employeeId }, body }) =>
      previewChange({ db, companyId, clock }, { employeeId, body }),
  });

  route('POST /employees/:id/changes', {
    summary: 'Change an employee by hand',
    description: 'Only what no roster says. Rosters without a value keep it. Returns what has changed.',
    access: 'decisions',
    params: employeeParams,
    body: EmployeeChangesBody,
    data: DecisionPreviewSchema,
    problems: ['decision-refused'],
    handle: ({ companyId, by, params: { id: employeeId }, body }) =>
      changeByHand({ db, companyId, clock, queue, notices, employeeMails }, { employeeId, body }, by.actor),
  });

  route('POST /employees/groups/preview', {
    summary: 'Preview a group for many employees',
    description: 'Changes nothing.',
    access: 'decisions',
    body: PreviewGroupBody,
    data: GroupPreviewSchema,
    handle({ reply, companyId, body }) {
      extendTimeout(reply);
      return previewGroup({ db, companyId, clock }, body);
    },
  });

  route('POST /employees/groups', {
    summary: 'Enter a group for many employees',
    description: 'Null clears it. Employees whose roster has a group keep that one.',
    access: 'decisions',
    body: GroupBody,
    data: GroupPreviewSchema,
    problems: ['confirmation-mismatch'],
    handle({ reply, companyId, by, body }) {
      extendTimeout(reply);
      return setGroup({ db, companyId, clock, queue, notices, employeeMails }, body, by.actor);
    },
  });
});
