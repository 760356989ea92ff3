import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { portalRoutes } from '../portal-route.ts';
import { listAffectedEmployees, previewChange, readChange, remindUndecided, startChange } from './campaign.ts';
import {
  AffectedPageSchema,
  AffectedQuery,
  AssignBody,
  ChangeBody,
  ChangeDetailsSchema,
  ChangePreviewSchema,
  CreatedPolicySchema,
  EditPolicyBody,
  NewPolicyBody,
  OrderBody,
  PoliciesSchema,
  RemindedSchema,
  StartChangeBody,
  StartedChangeSchema,
} from './contract.ts';
import { assignByHand, createPolicy, editPolicy, orderPolicies } from './manage.ts';
import { showChange, showPolicies } from './overview.ts';

export const policyRoutes = portalRoutes((route, { clock, links, employeeMails }) => {
  const { isConfigured: isMailConfigured } = employeeMails;
  const access = 'policies' as const;

  route('GET /policies', {
    summary: 'List benefit policies and changes of what employees pay',
    access,
    data: PoliciesSchema,
    handle: ({ db, companyId, user }) => showPolicies({ db, companyId, clock, view: viewFor(user, links) }),
  });

  route('POST /policies', {
    summary: 'Create a benefit policy',
    access,
    body: NewPolicyBody,
    status: 201,
    data: CreatedPolicySchema,
    handle: (call) => createPolicy(call, call.body),
  });

  route('POST /policies/order', {
    summary: 'Order benefit policies',
    description: 'The first one with the group of an employee applies.',
    access,
    body: OrderBody,
    problems: ['confirmation-mismatch'],
    handle: (call) => orderPolicies(call, call.body.ids),
  });

  route('POST /policies/:id', {
    summary: 'Change the name and the groups of a benefit policy',
    access,
    params: IdParams('policy'),
    body: EditPolicyBody,
    problems: ['not-found'],
    handle: (call) => editPolicy(call, call.params.id, call.body),
  });

  route('POST /policies/:id/changes/preview', {
    summary: 'Preview a change of what employees pay',
    description: 'Changes nothing.',
    access,
    params: IdParams('policy'),
    body: ChangeBody,
    data: ChangePreviewSchema,
    problems: ['not-found'],
    handle(call) {
      extendTimeout(call.reply);
      const asked = readChange(call.params.id, call.body);
      return previewChange(call, { view: viewFor(call.user, links), isMailConfigured }, asked);
    },
  });

  route('POST /policies/:id/changes', {
    summary: 'Begin a change of what employees pay',
    description: 'Asks employees whose share rises for their agreement, and announces the change to the others.',
    access,
    params: IdParams('policy'),
    body: StartChangeBody,
    status: 201,
    data: StartedChangeSchema,
    problems: ['not-found', 'confirmation-mismatch'],
    async handle(call) {
      extendTimeout(call.reply);
      const { confirm, ...body } = call.body;
      const { id } = await startChange(call, { employeeMails, confirm }, readChange(call.params.id, body));
      return { id };
    },
  });

  route('GET /policies/changes/:id', {
    summary: 'Get how far a change of what employees pay has got',
    access,
    params: IdParams('change'),
    data: ChangeDetailsSchema,
    problems: ['not-found'],
    handle: ({ db, companyId, params }) => showChange({ db, companyId, clock }, params.id, isMailConfigured),
  });

  route('GET /policies/changes/:id/employees', {
    summary: 'List the employees of a change',
    access,
    params: IdParams('change'),
    query: AffectedQuery,
    returns: AffectedPageSchema,
    problems: ['not-found'],
    handle: (call) => listAffectedEmployees(call, viewFor(call.user, links), call.params.id, call.query),
  });

  route('POST /policies/changes/:id/reminders', {
    summary: 'Remind those who have not decided about a change',
    description: 'Each at most once a day.',
    access,
    params: IdParams('change'),
    data: RemindedSchema,
    problems: ['not-found', 'decision-refused'],
    handle(call) {
      extendTimeout(call.reply);
      return remindUndecided(call, employeeMails, call.params.id);
    },
  });

  route('POST /employees/:id/policy', {
    summary: 'Assign a benefit policy to an employee by hand',
    access,
    params: IdParams('employee'),
    body: AssignBody,
    problems: ['not-found'],
    handle: (call) => assignByHand(call, { employeeId: call.params.id, policyId: call.body.policyId }),
  });
});
