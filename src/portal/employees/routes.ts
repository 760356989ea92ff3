import { todayIn } from '../../clock.ts';
import type { Routes } from '../../context.ts';
import { applyDecision } from '../../daily-run/apply-decision.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import { writeCompany } from '../../db/write.ts';
import { employeeViewOf, presentEmployee } from '../../employees/present.ts';
import { listEmployees } from '../../employees/queries.ts';
import { EmployeeSchema, EmployeesQuery } from '../../employees/schema.ts';
import { ApiError, notFound } from '../../errors.ts';
import { presentPage } from '../../http/paging.ts';
import { DataOf, IdParams, PageOf, Reference } from '../../http/schemas.ts';
import { viewFor } from '../../http/view.ts';
import { actorOf, userOf } from '../guard.ts';
import { portalOperation } from '../operation.ts';
import { presentDecided, previewDecision } from './decisions.ts';
import { loadEmployeeDetails } from './details.ts';
import { DecisionBody, DecisionPreviewSchema, EmployeeDetailsSchema } from './schema.ts';

const params = IdParams('employee');

export const employeeRoutes: Routes = (app, { db, clock, queue, links }) => {
  app.get(
    '/employees',
    portalOperation({
      id: 'listEmployees',
      summary: 'List employees',
      access: 'read',
      querystring: EmployeesQuery,
      response: { 200: PageOf(Reference(EmployeeSchema)) },
    }),
    async (request) => {
      const user = userOf(request);
      const today = todayIn(clock, user.company.timeZone);
      const page = await listEmployees(db, user.companyId, request.query, today);
      const view = employeeViewOf(viewFor(user, links), today);
      return presentPage(page, request.query, (row) => presentEmployee(row, view));
    },
  );

  app.get(
    '/employees/:id',
    portalOperation({
      id: 'getEmployee',
      summary: 'Get everything about an employee',
      access: 'read',
      params,
      response: { 200: DataOf(Reference(EmployeeDetailsSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const user = userOf(request);
      const options = {
        companyId: user.companyId,
        employeeId: request.params.id,
        today: todayIn(clock, user.company.timeZone),
        view: viewFor(user, links),
      };
      return { data: await inSnapshot(db, (tx) => loadEmployeeDetails(tx, options)) };
    },
  );

  app.post(
    '/employees/:id/decisions/preview',
    portalOperation({
      id: 'previewDecision',
      summary: 'Preview a decision about a subscription',
      description: 'Changes nothing.',
      access: 'decisions',
      params,
      body: DecisionBody,
      response: { 200: DataOf(Reference(DecisionPreviewSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const { decision } = request.body;
      return {
        data: await inSnapshot(db, (tx) =>
          previewDecision(tx, clock, companyId, { employeeId: request.params.id, decision }),
        ),
      };
    },
  );

  app.post(
    '/employees/:id/decisions',
    portalOperation({
      id: 'decide',
      summary: 'Decide about a subscription',
      description: 'Returns what has changed.',
      access: 'decisions',
      params,
      body: DecisionBody,
      response: { 200: DataOf(Reference(DecisionPreviewSchema)) },
      problems: ['not-found', 'decision-refused'],
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const actor = actorOf(request);
      const outcome = await writeCompany(db, companyId, (tx) =>
        applyDecision(tx, { clock, queue }, companyId, {
          employeeId: request.params.id,
          decision: request.body.decision,
          actor,
        }),
      );
      if (outcome.kind === 'unknown-employee') throw notFound('employee');
      if (outcome.kind === 'refused') throw new ApiError('decision-refused', outcome.refusal.sentence);
      return { data: presentDecided(outcome.plan) };
    },
  );
};
