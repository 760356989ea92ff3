import { todayIn } from '../../clock.ts';
import type { Routes } from '../../context.ts';
import { applyDecision } from '../../daily-run/apply-decision.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import { employeeViewOf, presentEmployee } from '../../employees/present.ts';
import { listEmployees } from '../../employees/queries.ts';
import { type Employee, EmployeesQuery } from '../../employees/schema.ts';
import { ApiError, notFound } from '../../errors.ts';
import { presentPage } from '../../http/paging.ts';
import { IdParams } from '../../http/schemas.ts';
import { viewFor } from '../../http/view.ts';
import { type Data, DecisionBody, type DecisionPreview, type EmployeeDetails, type Page } from '../contract.ts';
import { actorOf, userOf } from '../guard.ts';
import { presentDecided, previewDecision } from './decisions.ts';
import { loadEmployeeDetails } from './details.ts';

const params = IdParams('employee');

export const employeeRoutes: Routes = (app, { db, clock, queue, links }) => {
  app.get(
    '/employees',
    { config: { portal: 'read' }, schema: { hide: true, querystring: EmployeesQuery } },
    async (request): Promise<Data<Page<Employee>>> => {
      const user = userOf(request);
      const today = todayIn(clock, user.company.timeZone);
      const page = await listEmployees(db, user.companyId, request.query, today);
      const view = employeeViewOf(viewFor(user, links), today);
      return presentPage(page, request.query, (row) => presentEmployee(row, view));
    },
  );

  app.get(
    '/employees/:id',
    { config: { portal: 'read' }, schema: { hide: true, params } },
    async (request): Promise<Data<EmployeeDetails>> => {
      const user = userOf(request);
      const wanted = {
        companyId: user.companyId,
        employeeId: request.params.id,
        today: todayIn(clock, user.company.timeZone),
        view: viewFor(user, links),
      };
      return { data: await inSnapshot(db, (tx) => loadEmployeeDetails(tx, wanted)) };
    },
  );

  app.post(
    '/employees/:id/decisions/preview',
    { config: { portal: 'decisions' }, schema: { hide: true, params, body: DecisionBody } },
    async (request): Promise<Data<DecisionPreview>> => {
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
    { config: { portal: 'decisions' }, schema: { hide: true, params, body: DecisionBody } },
    async (request): Promise<Data<DecisionPreview>> => {
      const { companyId } = userOf(request);
      const actor = actorOf(request);
      const outcome = await db.transaction().execute((tx) =>
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
