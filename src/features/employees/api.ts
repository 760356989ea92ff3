import { todayIn } from '../../platform/clock/clock.ts';
import { notFound } from '../../platform/http/errors.ts';
import { setVersion } from '../../platform/http/kept-pages.ts';
import { operation, pageResponse, recordResponse } from '../../platform/http/operation.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { assignLateCharges, findLateCharges } from '../billing/rules/late-charges.ts';
import { principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import {
  EmployeeSchema,
  EmployeesQuery,
  employeeExample,
  HistoryQuery,
  SubscriptionHistoryEntrySchema,
  subscriptionHistoryExample,
} from './contract.ts';
import { listSubscriptionChanges } from './history.ts';
import { listTicketItems, loadEmployees } from './load.ts';
import { employeeViewOf, presentEmployee, presentHistoryEntry } from './present.ts';
import { findEmployee, listEmployees } from './store.ts';

export const employeeRoutes: Routes = (app, { db, clock, links }) => {
  app.get(
    '/employees',
    operation({
      id: 'listEmployees',
      tag: 'Employees',
      summary: 'List employees',
      description:
        'Employees with their subscription, plan, current ticket and links to HR systems. An employee must match all given filters.',
      permissions: ['view-employees'],
      isKept: 'with-version',
      querystring: EmployeesQuery,
      response: pageResponse(EmployeeSchema, 'employees', employeeExample),
    }),
    async function listEmployeesHandler(request) {
      const caller = principalOf(request);
      const today = todayIn(clock, caller.company.timeZone);
      const page = await listEmployees(db, caller.companyId, request.query, today);
      setVersion(request, page.version);
      const view = employeeViewOf(viewFor(caller, links), today);
      return presentPage(page, request.query, (row) => presentEmployee(row, view));
    },
  );

  app.get(
    '/employees/:id',
    operation({
      id: 'getEmployee',
      tag: 'Employees',
      summary: 'Get employee',
      description: 'One employee by id.',
      permissions: ['view-employees'],
      isKept: 'with-version',
      params: IdParams('employee'),
      response: recordResponse(EmployeeSchema, 'employee', employeeExample),
      problems: ['not-found'],
    }),
    async function getEmployeeHandler(request) {
      const caller = principalOf(request);
      const today = todayIn(clock, caller.company.timeZone);
      const row = await findEmployee(db, caller.companyId, request.params.id, today);
      if (row === undefined) throw notFound('employee');
      setVersion(request, row.version);
      return { data: presentEmployee(row, employeeViewOf(viewFor(caller, links), today)) };
    },
  );

  app.get(
    '/employees/:id/subscription-history',
    operation({
      id: 'getSubscriptionHistory',
      tag: 'Employees',
      summary: 'Get subscription history',
      description:
        'Every change of the subscription of one employee, oldest first unless `sortOrder` is `desc`, each with its cause and the rule that decided its date. This explains the present status. Where a termination or an absence became known too late, `lateCharges` says what the tickets cost, and proposes the correction.',
      permissions: ['view-employees'],
      isKept: true,
      params: IdParams('employee'),
      querystring: HistoryQuery,
      response: pageResponse(SubscriptionHistoryEntrySchema, 'changes', subscriptionHistoryExample),
      problems: ['not-found'],
    }),
    async function getSubscriptionHistoryHandler(request) {
      const caller = principalOf(request);
      const { companyId, company } = caller;
      const today = todayIn(clock, company.timeZone);
      const employee = await findEmployee(db, companyId, request.params.id, today);
      if (employee === undefined) throw notFound('employee');
      const found = await listSubscriptionChanges(db, companyId, request.params.id);
      const isCharged = found.length > 0 && caller.permissions.has('view-billing');
      const state = isCharged ? (await loadEmployees(db, companyId, [employee.id], today)).get(employee.id) : undefined;
      const items = isCharged ? await listTicketItems(db, companyId, [employee.id]) : [];
      const { money } = viewFor(caller, links);
      const late = state ? findLateCharges(state.facts, items, (cents) => money(cents).label) : [];
      const byChange = assignLateCharges(found, late);
      const changes = found.map((change, index) =>
        presentHistoryEntry({ ...change, late: byChange[index] ?? [] }, index + 1, employee.id, links),
      );
      const { page, perPage, sortOrder } = request.query;
      const offset = (Math.max(1, page) - 1) * perPage;
      const ordered = sortOrder === 'desc' ? changes.toReversed() : changes;
      const rows = ordered.slice(offset, offset + perPage);
      return presentPage({ rows, total: changes.length }, request.query, (entry) => entry);
    },
  );
};
