import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { requestActions } from '../domain/enums.ts';
import type { Employee } from '../features/employees/contract.ts';
import type { SubscriptionRequestRecord } from '../features/subscriptions/contract.ts';
import { problems } from '../platform/http/errors.ts';
import { Enum, maxInteger, Nullable } from '../platform/http/schemas.ts';
import { requireData, ToolError } from './call-api.ts';
import { EmployeeSummary, employeeFreeText, summarize } from './employee-tools.ts';
import { defineTool, type ToolContext } from './tool.ts';

const Month = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-01$', description });

const asked = {
  employeeId: Type.Integer({ minimum: 0, maximum: maxInteger, description: 'The id from find_employees.' }),
  action: Enum(requestActions),
  from: Type.Optional(Month('The first of a month, YYYY-MM-01. Without it: the earliest month that is possible.')),
  until: Type.Optional(Month('Of a pause: the first of the month in which tickets resume. Without it: open.')),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'A remark that is stored.' })),
};
const Asked = Type.Object(asked);
type Asked = Static<typeof Asked>;

const output = {
  employee: EmployeeSummary,
  action: Enum(requestActions),
  from: Type.String({ description: 'The day on which it takes effect.' }),
  until: Nullable(Type.String()),
  statusThen: Type.String({ description: 'The status of the subscription on the day of the request, after it.' }),
  upcoming: Nullable(Type.Object({ type: Type.String(), at: Type.String() })),
  nextTicketAt: Nullable(Type.String()),
  undoUntil: Nullable(Type.String(), 'Until this day, a user of the portal can undo it.'),
};

const freeText = employeeFreeText('/employee');

const present = (employee: Employee, { action, from, until, undoUntil, subscription }: SubscriptionRequestRecord) => {
  const { status, upcoming, nextTicketAt } = subscription;
  const ends = { ...{ action, from, until }, statusThen: status, upcoming, nextTicketAt, undoUntil };
  return { employee: summarize(employee), ...ends };
};

const send = ({ call }: ToolContext, { employeeId, ...body }: Asked, query = '') =>
  requireData<SubscriptionRequestRecord>(call(`/employees/${employeeId}/subscription-requests${query}`, body));

/** Returns what a request would do to whom, and a code that stands for exactly that. */
async function preview(request: Asked, context: ToolContext) {
  const employee = await requireData<Employee>(context.call(`/employees/${request.employeeId}`));
  const effect = present(employee, await send(context, request, '?dryRun=true'));
  const content = JSON.stringify([context.companyId, request.reason ?? null, effect]);
  return { ...effect, confirmation: createHash('sha256').update(content).digest('base64url').slice(0, 16) };
}

export const previewSubscriptionChange = defineTool({
  name: 'preview_subscription_change',
  title: 'Preview a change of a subscription',
  description:
    'Shows what subscribing one employee, or pausing, resuming or cancelling their subscription would do, and from which day. Changes nothing. Show the result to the person you work for. If they agree, pass the same values and `confirmation` to change_subscription.',
  permissions: ['manage-subscriptions', 'view-employees'],
  input: Asked,
  output: Type.Object({ ...output, confirmation: Type.String({ description: 'For change_subscription.' }) }),
  freeText,
  run: preview,
});

export const changeSubscription = defineTool({
  name: 'change_subscription',
  title: 'Change a subscription',
  description:
    'Subscribes one employee, or pauses, resumes or cancels their subscription, as preview_subscription_change has shown it. Call it only after the person you work for has seen that preview and agreed to it.',
  permissions: ['manage-subscriptions', 'view-employees'],
  changesData: true,
  input: Type.Object({
    ...asked,
    confirmation: Type.String({ maxLength: 100, description: 'From preview_subscription_change.' }),
  }),
  output: Type.Object({ ...output, requestId: Nullable(Type.Integer()) }),
  freeText,
  async run({ confirmation, ...request }, context) {
    const { employee: before, ...planned } = await preview(request, context);
    if (planned.confirmation !== confirmation) {
      const code = 'confirmation-mismatch';
      const detail =
        'Nothing was changed: the preview has shown something else. Call preview_subscription_change again, and ask again.';
      throw new ToolError({ code, title: problems[code].title, detail });
    }
    const applied = await send(context, request);
    const employee = await requireData<Employee>(context.call(`/employees/${before.id}`));
    return { ...present(employee, applied), requestId: applied.id };
  },
});
