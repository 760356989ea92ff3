import { todayIn } from '../../platform/clock/clock.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { createLineExport, ExportedLines } from '../../platform/http/portal/export-lines.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { portalRoutes } from '../portal-route.ts';
import {
  CustomLinkBody,
  EmployeeDetailsSchema,
  EmployeeGroupsSchema,
  EmployeesPageSchema,
  ListedEmployeesQuery,
  PlacedEmployeesQuery,
} from './contract.ts';
import { linkEmployee, unlinkEmployee } from './custom-link.ts';
import { loadEmployeeDetails } from './details.ts';
import { listIdsByCode } from './find-employee.ts';
import { decodePlace, placesAround } from './place.ts';
import { employeeViewOf, presentEmployee } from './present.ts';
import { listEmployees, listEmployeesAt, listGroups } from './store.ts';

const params = IdParams('employee');

export const employeeRoutes = portalRoutes((route, context) => {
  const { db, clock, links } = context;
  const sendLines = createLineExport(context);

  route('GET /employees', {
    summary: 'List employees',
    access: 'read',
    query: PlacedEmployeesQuery,
    returns: EmployeesPageSchema,
    async handle({ companyId, user, query }) {
      const today = todayIn(clock, user.company.timeZone);
      const foundIds = await listIdsByCode(db, companyId, query.search ?? '');
      const place = decodePlace(query.place, query);
      const page = await listEmployeesAt(db, companyId, { ...query, foundIds, place }, today);
      const view = employeeViewOf(viewFor(user, links), today);
      const { data } = presentPage(page, query, (row) => presentEmployee(row, view));
      return { data: { ...data, ...placesAround(page.rows, query) } };
    },
  });

  route('GET /employees/export', {
    summary: 'Export employees',
    description: 'All employees that match the filters, one line of JSON each.',
    access: 'read',
    query: ListedEmployeesQuery,
    returns: ExportedLines,
    // A HEAD request would read everything and discard it.
    options: { exposeHeadRoute: false },
    async handle({ reply, companyId, user, query }) {
      const today = todayIn(clock, user.company.timeZone);
      const foundIds = await listIdsByCode(db, companyId, query.search ?? '');
      const view = employeeViewOf(viewFor(user, links), today);
      return sendLines(user, reply, {
        read: (tx, page) => listEmployees(tx, companyId, { ...query, foundIds, ...page }, today),
        present: (row) => presentEmployee(row, view),
      });
    },
  });

  route('GET /employees/groups', {
    summary: 'List the groups of employees',
    access: 'read',
    data: EmployeeGroupsSchema,
    handle: ({ companyId }) => listGroups(db, companyId),
  });

  route('GET /employees/:id', {
    summary: 'Get everything about an employee',
    access: 'read',
    params,
    data: EmployeeDetailsSchema,
    handle({ companyId, user, params: { id: employeeId } }) {
      const today = todayIn(clock, user.company.timeZone);
      const options = { companyId, employeeId, today, view: viewFor(user, links) };
      return inSnapshot(db, (tx) => loadEmployeeDetails(tx, options));
    },
  });

  route('POST /employees/:id/links', {
    summary: 'Add a custom HR id to an employee',
    access: 'decisions',
    params,
    body: CustomLinkBody,
    problems: ['decision-refused'],
    handle: (call) => linkEmployee(call, { employeeId: call.params.id, hrId: call.body.hrId.trim() }),
  });

  route('POST /employees/:id/links/remove', {
    summary: 'Remove a custom HR id of an employee',
    access: 'decisions',
    params,
    body: CustomLinkBody,
    handle: (call) => unlinkEmployee(call, { employeeId: call.params.id, hrId: call.body.hrId.trim() }),
  });
});
