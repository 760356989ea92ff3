import { todayIn } from '../../platform/clock/clock.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, IdParams } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { createLineExport, ExportedLines } from '../accounts/export-lines.ts';
import { actorOf, contextOf, userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { addByHand } from './add.ts';
import {
  AddedEmployeeSchema,
  CustomLinkBody,
  EmployeeDetailsSchema,
  EmployeesPageSchema,
  ListedEmployeesQuery,
  NewEmployeeBody,
  PlacedEmployeesQuery,
} from './contract.ts';
import { linkEmployee, unlinkEmployee } from './custom-link.ts';
import { loadEmployeeDetails } from './details.ts';
import { listIdsByCode } from './find-employee.ts';
import { decodePlace, placesAround } from './place.ts';
import { employeeViewOf, presentEmployee } from './present.ts';
import { listEmployees, listEmployeesAt } from './store.ts';

const params = IdParams('employee');

export const employeeRoutes: Routes = (app, context) => {
  const { db, clock, queue, notices, links } = context;
  const sendLines = createLineExport(context);
  app.get(
    '/employees',
    portalOperation({
      summary: 'List employees',
      access: 'read',
      querystring: PlacedEmployeesQuery,
      response: { 200: EmployeesPageSchema },
    }),
    async (request) => {
      const user = userOf(request);
      const today = todayIn(clock, user.company.timeZone);
      const foundIds = await listIdsByCode(db, user.companyId, request.query.search ?? '');
      const place = decodePlace(request.query.place, request.query);
      const page = await listEmployeesAt(db, user.companyId, { ...request.query, foundIds, place }, today);
      const view = employeeViewOf(viewFor(user, links), today);
      const { data } = presentPage(page, request.query, (row) => presentEmployee(row, view));
      return { data: { ...data, ...placesAround(page.rows, request.query) } };
    },
  );

  app.get(
    '/employees/export',
    {
      ...portalOperation({
        summary: 'Export employees',
        description: 'All employees that match the filters, one line of JSON each.',
        access: 'read',
        querystring: ListedEmployeesQuery,
        response: { 200: ExportedLines },
      }),
      // A HEAD request would read everything and discard it.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const user = userOf(request);
      const today = todayIn(clock, user.company.timeZone);
      const foundIds = await listIdsByCode(db, user.companyId, request.query.search ?? '');
      const view = employeeViewOf(viewFor(user, links), today);
      return sendLines(request, reply, {
        read: (tx, page) => listEmployees(tx, user.companyId, { ...request.query, foundIds, ...page }, today),
        present: (row) => presentEmployee(row, view),
      });
    },
  );

  app.get(
    '/employees/:id',
    portalOperation({
      summary: 'Get everything about an employee',
      access: 'read',
      params,
      response: { 200: DataOf(EmployeeDetailsSchema) },
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

  const link = { access: 'decisions', params, body: CustomLinkBody, response: { 204: NoContent } } as const;

  app.post(
    '/employees/:id/links',
    portalOperation({
      ...link,
      summary: 'Add a custom HR id to an employee',
      problems: ['decision-refused'],
    }),
    async (request, _reply) => {
      const input = { employeeId: request.params.id, hrId: request.body.hrId.trim() };
      await linkEmployee(contextOf(request, context, 'decisions'), input);
    },
  );

  app.post(
    '/employees/:id/links/remove',
    portalOperation({
      ...link,
      summary: 'Remove a custom HR id of an employee',
    }),
    async (request, _reply) => {
      const input = { employeeId: request.params.id, hrId: request.body.hrId.trim() };
      await unlinkEmployee(contextOf(request, context, 'decisions'), input);
    },
  );

  app.post(
    '/employees',
    portalOperation({
      summary: 'Add an employee by hand',
      description: 'No roster removes them, until one contains their email address.',
      access: 'decisions',
      body: NewEmployeeBody,
      response: { 201: DataOf(AddedEmployeeSchema) },
      problems: ['decision-refused'],
    }),
    async (request, _reply) => {
      const { companyId } = userOf(request);
      const deps = { db, companyId, clock, queue, notices };
      const { employeeId } = await addByHand(deps, request.body, actorOf(request));
      return { data: { id: employeeId } };
    },
  );
};
