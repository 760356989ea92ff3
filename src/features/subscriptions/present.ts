import { describeSubscription } from '../../domain/employee.ts';
import type { ActorType } from '../../domain/enums.ts';
import { publicTexts } from '../../domain/subscription/public-dates.ts';
import type { Links } from '../../platform/http/links.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import type { SubscriptionRequestRecord } from './contract.ts';
import type { Applied, SubscriptionRequest } from './request.ts';
import type { RequestRow } from './store.ts';

const linksOf = (links: Links, employeeId: number) => ({
  employee: links.employee(employeeId),
  subscriptionRequests: links.subscriptionRequests(employeeId),
});

function presentAfter({ nextTicketOn, status, ...after }: RequestRow['after']) {
  const { startAt, ...dates } = publicTexts({ ...after, status });
  return { status, startAt, nextTicketAt: nextTicketOn, ...dates };
}

/** Leaves out which user or key it was: only the portal says so. */
export const presentRequest = (row: RequestRow, links: Links): SubscriptionRequestRecord => ({
  ...{ id: row.id, resource: 'subscription-request', employeeId: row.employeeId, action: row.action },
  ...{ from: row.from, until: row.until, reason: row.reason, requestedBy: row.actorType },
  ...{ requestedAt: presentTimestamp(row.requestedAt), status: row.status, undoUntil: row.undoUntil },
  subscription: presentAfter(row.after),
  _links: linksOf(links, row.employeeId),
});

interface Planning {
  links: Links;
  requestedBy: ActorType;
  now: Temporal.Instant;
}

/** Presents a request that was only planned. */
export function presentPlanned(
  { employeeId, action, reason }: SubscriptionRequest,
  { plan: { employee }, from, until, undoUntil }: Applied,
  { links, requestedBy, now }: Planning,
): SubscriptionRequestRecord {
  return {
    ...{ id: null, resource: 'subscription-request', employeeId, action },
    ...{ from: from.toString(), until: until?.toString() ?? null, reason: reason ?? null, requestedBy },
    ...{ requestedAt: presentTimestamp(now.toString()), status: 'applied', undoUntil: undoUntil?.toString() ?? null },
    subscription: describeSubscription(employee.subscription, employee.nextTicketOn),
    _links: linksOf(links, employeeId),
  };
}
