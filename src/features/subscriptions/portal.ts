import { todayIn } from '../../platform/clock/clock.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, IdParams } from '../../platform/http/schemas.ts';
import { actorOf, userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { findDocument } from '../documents/list.ts';
import { DecisionBody, DecisionPreviewSchema, PreviewDecisionBody } from '../employees/contract.ts';
import { applyDecision, presentDecided, previewDecision, readConsent } from './apply-decision.ts';

const params = IdParams('employee');

export const decisionRoutes: Routes = (app, { db, clock, queue, notices }) => {
  app.post(
    '/employees/:id/decisions/preview',
    portalOperation({
      summary: 'Preview a decision about a subscription',
      description: 'Changes nothing.',
      access: 'decisions',
      params,
      body: PreviewDecisionBody,
      response: { 200: DataOf(DecisionPreviewSchema) },
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const input = { employeeId: request.params.id, decision: request.body.decision };
      return { data: await inSnapshot(db, (tx) => previewDecision(tx, clock, companyId, input)) };
    },
  );

  app.post(
    '/employees/:id/decisions',
    portalOperation({
      summary: 'Decide about a subscription',
      description: 'Returns what has changed.',
      access: 'decisions',
      params,
      body: DecisionBody,
      response: { 200: DataOf(DecisionPreviewSchema) },
      problems: ['decision-refused'],
    }),
    async (request) => {
      const { companyId, company, name: recordedBy } = userOf(request);
      const { decision, consent, documentId } = request.body;
      const employeeId = request.params.id;
      const scan = documentId === undefined ? undefined : await findDocument(db, companyId, documentId);
      if (documentId !== undefined && scan?.employee_id !== employeeId) throw notFound('document of this employee');
      const how = readConsent(consent, todayIn(clock, company.timeZone));
      const input = { employeeId, decision, actor: actorOf(request), consent: how, recordedBy, documentId };
      const outcome = await writeCompany(db, companyId, (tx) =>
        applyDecision(tx, { clock, queue, notices }, companyId, input),
      );
      if (outcome.kind === 'unknown-employee') throw notFound('employee');
      if (outcome.kind === 'refused') throw new ApiError('decision-refused', outcome.refusal.message);
      return { data: presentDecided(outcome.plan) };
    },
  );
};
