import { todayIn } from '../../platform/clock/clock.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { notFound } from '../../platform/http/errors.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { findDocument } from '../documents/list.ts';
import { DecisionBody, DecisionPreviewSchema, PreviewDecisionBody } from '../employees/contract.ts';
import { portalRoutes } from '../portal-route.ts';
import { applyDecision, presentDecided, previewDecision, readConsent } from './apply-decision.ts';
import { refuseRequest } from './submit.ts';

const params = IdParams('employee');

export const decisionRoutes = portalRoutes((route, { db, clock, queue, notices, employeeMails }) => {
  route('POST /employees/:id/decisions/preview', {
    summary: 'Preview a decision about a subscription',
    access: 'decisions',
    params,
    body: PreviewDecisionBody,
    data: DecisionPreviewSchema,
    handle: ({ companyId, params: { id: employeeId }, body: { decision } }) =>
      inSnapshot(db, (tx) => previewDecision(tx, clock, companyId, { employeeId, decision })),
  });

  route('POST /employees/:id/decisions', {
    summary: 'Decide about a subscription',
    description: 'Returns what has changed.',
    access: 'decisions',
    params,
    body: DecisionBody,
    data: DecisionPreviewSchema,
    problems: ['subscription-request-refused'],
    async handle({ companyId, user, by: { actor }, params: { id: employeeId }, body }) {
      const { decision, consent, documentId } = body;
      const scan = documentId === undefined ? undefined : await findDocument(db, companyId, documentId);
      if (documentId !== undefined && scan?.employee_id !== employeeId) throw notFound('document of this employee');
      const today = todayIn(clock, user.company.timeZone);
      const how = readConsent(consent, today);
      const input = { employeeId, decision, actor, consent: how, recordedBy: user.name, documentId };
      const outcome = await writeCompany(db, companyId, (tx) =>
        applyDecision(tx, { clock, queue, notices, employeeMails }, companyId, input),
      );
      if (outcome.kind === 'unknown-employee') throw notFound('employee');
      if (outcome.kind === 'refused') throw refuseRequest(outcome.refusal);
      return presentDecided(db, companyId, { plan: outcome.plan, today });
    },
  });
});
