import { todayIn } from '../../../platform/clock/clock.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import { inSnapshot } from '../../../platform/db/snapshot.ts';
import { ApiError, notFound } from '../../../platform/http/errors.ts';
import { extendTimeout } from '../../../platform/http/extend-timeout.ts';
import { createLineExport, ExportedLines } from '../../../platform/http/portal/export-lines.ts';
import { IdParams } from '../../../platform/http/schemas.ts';
import { portalRoutes } from '../../portal-route.ts';
import { readConsent } from '../apply-decision.ts';
import { BatchBody, BatchPreviewSchema, BatchSchema, PreviewBatchBody, UndoBatchBody } from './contract.ts';
import { planBatch } from './plan.ts';
import { insertBatch } from './run.ts';
import { showBatch } from './show.ts';
import { findBatch, listItems, listUndoable } from './store.ts';

const params = IdParams('batch');

export const batchRoutes = portalRoutes((route, context) => {
  const { db, clock, queue } = context;
  const sendLines = createLineExport(context);

  const show = (companyId: CompanyId, timeZone: string, id: number) =>
    showBatch({ db, clock }, { companyId, timeZone }, id);

  route('POST /subscription-batches/preview', {
    summary: 'Preview a request about the subscriptions of many employees',
    description: 'Changes nothing.',
    access: 'decisions',
    body: PreviewBatchBody,
    data: BatchPreviewSchema,
    async handle({ reply, companyId, user, by: { actor }, body }) {
      const consent = readConsent(body.consent, todayIn(clock, user.company.timeZone));
      extendTimeout(reply);
      const plan = { actor, wanted: { ...body, consent } };
      return inSnapshot(db, async (tx) => (await planBatch(tx, { clock }, companyId, plan)).preview);
    },
  });

  route('POST /subscription-batches', {
    summary: 'Request the same about the subscriptions of many employees',
    description: 'A job applies it. Employees for whom it is not possible, or is so already, are left out.',
    access: 'decisions',
    body: BatchBody,
    status: 202,
    data: BatchSchema,
    problems: ['confirmation-mismatch'],
    async handle({ reply, companyId, user, by: { actor }, write, body }) {
      const { timeZone } = user.company;
      const { confirm, reason, ...wanted } = body;
      const consent = readConsent(body.consent, todayIn(clock, timeZone));
      extendTimeout(reply);
      const plan = { actor, wanted: { ...wanted, consent } };
      const { applicable } = await inSnapshot(db, (tx) => planBatch(tx, { clock }, companyId, plan));
      if (applicable.length !== confirm) {
        const detail = `It applies to ${applicable.length} employees now, not to ${confirm}. Look at the preview again.`;
        throw new ApiError('confirmation-mismatch', detail);
      }
      const { action, from, until } = wanted;
      const batch = {
        ...{ action, employeeIds: applicable, actor, consent, reason, recordedBy: user.name },
        ...{ from: from ? Temporal.PlainDate.from(from) : undefined },
        ...{ until: until ? Temporal.PlainDate.from(until) : undefined },
      };
      const id = await write((tx) => insertBatch(tx, { clock, queue }, companyId, batch));
      return show(companyId, timeZone, id);
    },
  });

  route('GET /subscription-batches/:id', {
    summary: 'Get what became of a request about many employees',
    access: 'decisions',
    params,
    data: BatchSchema,
    problems: ['not-found'],
    handle: ({ companyId, user, params: { id } }) => show(companyId, user.company.timeZone, id),
  });

  route('GET /subscription-batches/:id/export', {
    summary: 'Export what became of each employee',
    description: 'One line of JSON each.',
    access: 'decisions',
    params,
    returns: ExportedLines,
    problems: ['not-found'],
    // A HEAD request would read everything and discard it.
    options: { exposeHeadRoute: false },
    async handle({ reply, companyId, user, params: { id } }) {
      if ((await findBatch(db, companyId, id)) === undefined) throw notFound('batch');
      return sendLines(user, reply, {
        read: (tx, page) => listItems(tx, companyId, { batchId: id, ...page }),
        present: (row) => row,
      });
    },
  });

  route('POST /subscription-batches/:id/undo', {
    summary: 'Undo a request about many employees',
    description: 'For everybody for whom it can still be undone. A job does it.',
    access: 'decisions',
    params,
    body: UndoBatchBody,
    status: 202,
    data: BatchSchema,
    problems: ['not-found', 'confirmation-mismatch'],
    async handle({ companyId, user, by: { actor }, write, params: { id }, body: { confirm } }) {
      const { timeZone } = user.company;
      if ((await findBatch(db, companyId, id)) === undefined) throw notFound('batch');
      const employeeIds = await listUndoable(db, companyId, { batchId: id, today: todayIn(clock, timeZone) });
      if (employeeIds.length !== confirm) {
        const detail = `It can be undone for ${employeeIds.length} employees now, not for ${confirm}.`;
        throw new ApiError('confirmation-mismatch', detail);
      }
      const batch = { action: 'undo' as const, employeeIds, actor, undoOf: id };
      const undone = await write((tx) => insertBatch(tx, { clock, queue }, companyId, batch));
      return show(companyId, timeZone, undone);
    },
  });
});
