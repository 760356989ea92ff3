import { todayIn } from '../../platform/clock/clock.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, IdParams, Reference } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { createLineExport, ExportedLines } from '../accounts/export-lines.ts';
import { actorOf, contextOf, userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { findDocument } from '../documents/list.ts';
import { applyDecision, presentDecided, previewDecision, readConsent } from '../subscriptions/apply-decision.ts';
import { addByHand } from './add.ts';
import {
  AddedEmployeeSchema,
  CustomLinkBody,
  DecisionBody,
  DecisionPreviewSchema,
  EmployeeDetailsSchema,
  EmployeesPageSchema,
  ListedEmployeesQuery,
  NewEmployeeBody,
  PlacedEmployeesQuery,
  PreviewDecisionBody,
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
      summary: 'Preview a decision about a subscription',
      description: 'Changes nothing.',
      access: 'decisions',
      params,
      body: PreviewDecisionBody,
      response: { 200: DataOf(Reference(DecisionPreviewSchema)) },
      problems: ['not-found'],
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
      response: { 200: DataOf(Reference(DecisionPreviewSchema)) },
      problems: ['not-found', 'decision-refused'],
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

  const link = { access: 'decisions', params, body: CustomLinkBody, response: { 204: NoContent } } as const;

  app.post(
    '/employees/:id/links',
    portalOperation({
      ...link,
      summary: 'Add a custom HR id to an employee',
      problems: ['not-found', 'decision-refused'],
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
      problems: ['not-found'],
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
