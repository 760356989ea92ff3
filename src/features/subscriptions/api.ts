import { Type } from 'typebox';
import { todayIn } from '../../platform/clock/clock.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { type Response, replayedHeader, runOnce } from '../../platform/http/idempotency.ts';
import { operation, pageResponse } from '../../platform/http/operation.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { DataOf, IdParams, Reference } from '../../platform/http/schemas.ts';
import { holdSlot } from '../../platform/http/slot-limits.ts';
import { type Principal, principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import { assertEmployee } from '../employees/find-employee.ts';
import { usernameOf } from '../keys/credentials.ts';
import {
  DryRunQuery,
  maxRequestsBytes,
  requestExample,
  SubscriptionRequestBody,
  SubscriptionRequestResultSchema,
  SubscriptionRequestSchema,
  SubscriptionRequestsBody,
  SubscriptionRequestsQuery,
} from './contract.ts';
import { presentRequest } from './present.ts';
import { listRequestPage } from './store.ts';
import { presentResult, previewRequests, readRequests, submitRequests } from './submit.ts';

const one = DataOf(Reference(SubscriptionRequestSchema));
const results = DataOf(Type.Array(Reference(SubscriptionRequestResultSchema)));

const planned = { ...requestExample, id: null };
const refusedExample = {
  employeeId: 2,
  status: 'refused',
  problem: {
    type: 'http://localhost:3000/docs/errors#subscription-request-refused',
    title: 'Subscription request not possible',
    status: 409,
    detail: 'It is after the cut-off for the next month. Choose 1 January 2027 or a later month.',
    code: 'subscription-request-refused',
    requestId: '01990f9e-6c1c-7d4e-b6a5-2f1f0c6f9d11',
    reason: 'after-cut-off',
    earliestFrom: '2027-01-01',
  },
};

const json = (description: string, schema: unknown, value: unknown) => ({
  description,
  headers: replayedHeader,
  content: { 'application/json': { schema, examples: { example: { value } } } },
});

const bodyProblems = [
  'invalid-body',
  'malformed-body',
  'body-too-large',
  'unsupported-media-type',
  'request-timeout',
] as const;

export const subscriptionRequestRoutes: Routes = (app, context) => {
  const { db, clock, links, slots } = context;
  const ownerOf = ({ companyId, keyId }: Principal) => ({ db, links, owner: { companyId, keyId } });
  const submissionOf = (caller: Principal) => ({
    ...{ deps: context, db, links, companyId: caller.companyId },
    actor: { type: 'key', name: usernameOf(caller) } as const,
  });

  app.post(
    '/employees/:id/subscription-requests',
    operation({
      id: 'requestSubscriptionChange',
      tag: 'Subscription requests',
      summary: 'Request a change of a subscription',
      description:
        'Subscribes an employee, or pauses, resumes or cancels their subscription, for the company. The request is applied at once or refused: `reason` says why, and `earliestFrom` which month is possible. Repeating a request changes nothing. See the guide "Change subscriptions".',
      permissions: ['manage-subscriptions'],
      isIdempotent: true,
      params: IdParams('employee'),
      querystring: DryRunQuery,
      body: SubscriptionRequestBody,
      validatesBody: true,
      responses: {
        200: json('With `dryRun=true`: what the request would do. Nothing was changed.', one, { data: planned }),
        201: json('The request was applied.', one, { data: requestExample }),
      },
      problems: ['not-found', 'subscription-request-refused', ...bodyProblems],
    }),
    async function requestSubscriptionChangeHandler(request, reply) {
      const caller = principalOf(request);
      const submission = submissionOf(caller);
      const body = { ...(request.body as SubscriptionRequestBody), employeeId: request.params.id };
      const { dryRun } = request.query;
      return runOnce(request, reply, ownerOf(caller), async (keep) => {
        const asked = readRequests([body], todayIn(clock, caller.company.timeZone), () => '');
        const respond = ([result]: Awaited<ReturnType<typeof previewRequests>>): Response => {
          if (result === undefined || result instanceof ApiError) throw result ?? notFound('employee');
          return { status: dryRun ? 200 : 201, body: { data: result } };
        };
        if (dryRun) return respond(await previewRequests(submission, asked));
        return respond(
          await submitRequests(submission, asked, async (tx, found) => {
            // A refused request is committed too: days that were missed have been processed.
            if (!(found[0] instanceof ApiError)) await keep(tx, respond(found));
          }),
        );
      });
    },
  );

  app.get(
    '/employees/:id/subscription-requests',
    operation({
      id: 'listSubscriptionRequests',
      tag: 'Subscription requests',
      summary: 'List subscription requests',
      description:
        'The requests about the subscription of one employee that were applied, by whomever: the employee, users of the portal, keys and the operator. Oldest first unless `sortOrder` is `desc`.',
      permissions: ['view-employees'],
      isKept: true,
      params: IdParams('employee'),
      querystring: SubscriptionRequestsQuery,
      response: pageResponse(SubscriptionRequestSchema, 'requests', requestExample),
      problems: ['not-found'],
    }),
    async function listSubscriptionRequestsHandler(request) {
      const { companyId } = principalOf(request);
      await assertEmployee(db, companyId, request.params.id);
      const page = await listRequestPage(db, companyId, request.params.id, request.query);
      return presentPage(page, request.query, (row) => presentRequest(row, links));
    },
  );

  app.post(
    '/subscription-requests',
    {
      ...operation({
        id: 'requestSubscriptionChanges',
        tag: 'Subscription requests',
        summary: 'Request changes of many subscriptions',
        description:
          'Up to 1,000 requests at once, in one transaction. Each is applied or refused on its own, with its reason, in the order sent.',
        permissions: ['manage-subscriptions'],
        isIdempotent: true,
        querystring: DryRunQuery,
        body: SubscriptionRequestsBody,
        validatesBody: true,
        responses: {
          200: json(
            'What became of each request, in the order sent. With `dryRun=true` nothing was changed.',
            results,
            {
              data: [{ employeeId: 1, status: 'applied', request: requestExample }, refusedExample],
            },
          ),
        },
        problems: [...bodyProblems],
      }),
      bodyLimit: maxRequestsBytes,
    },
    async function requestSubscriptionChangesHandler(request, reply) {
      const caller = principalOf(request);
      const submission = submissionOf(caller);
      const { requests: bodies } = request.body as SubscriptionRequestsBody;
      const { dryRun } = request.query;
      await holdSlot(slots.transfers, { companyId: caller.companyId, name: usernameOf(caller) }, reply);
      extendTimeout(reply);
      return runOnce(request, reply, ownerOf(caller), async (keep) => {
        const asked = readRequests(bodies, todayIn(clock, caller.company.timeZone), (index) => `/requests/${index}`);
        const respond = (found: Awaited<ReturnType<typeof previewRequests>>): Response => ({
          status: 200,
          body: {
            data: found.map((result, index) =>
              presentResult(result, { employeeId: bodies[index]?.employeeId ?? 0, links, requestId: request.id }),
            ),
          },
        });
        if (dryRun) return respond(await previewRequests(submission, asked));
        return respond(await submitRequests(submission, asked, (tx, found) => keep(tx, respond(found))));
      });
    },
  );
};
