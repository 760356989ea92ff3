import { Type } from 'typebox';
import { isAble } from '../../domain/roles.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { notFound } from '../../platform/http/errors.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { PageOf } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { portalRoutes, type UserCall } from '../portal-route.ts';
import {
  DeliveriesQuery,
  DeliveryDetailsSchema,
  DeliveryParams,
  EndpointBody,
  EndpointParams,
  EndpointStateBody,
  NewEndpointSecretSchema,
  ReplayBody,
  ReplayedSchema,
  SentTestSchema,
  WebhookDeliverySchema,
  WebhookEndpointSchema,
} from './contract.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { listEndpoints } from './list-endpoints.ts';
import {
  type Endpoint,
  presentAttempt,
  presentDelivery,
  presentEndpoint,
  presentEndpointPage,
  renderBody,
  startOfLastDay,
} from './present.ts';
import { rotateSecret } from './rotate-secret.ts';
import { createEndpoint, updateEndpoint } from './save-endpoint.ts';
import { redeliverEvent, replayEvents, sendTestEvent } from './send-events.ts';
import { disableEndpoint, enableEndpoint } from './set-state.ts';
import { countAttempts, findDelivery, getEndpointRow, listAttempts, listDeliveries, listEventRows } from './store.ts';

const one = { params: EndpointParams, problems: ['not-found'] } as const;

type Call = Pick<UserCall, 'db' | 'user'>;

const keyOf = ({ companyId, params }: { companyId: CompanyId; params: { id: number } }) => ({
  companyId,
  endpointId: params.id,
});

async function presentAll({ db, user: { companyId, roles } }: Call, endpoints: Endpoint[]) {
  const start = startOfLastDay();
  const ids = endpoints.map(({ id }) => id);
  const counts = await countAttempts(db, companyId, ids, start);
  const view = { counts, start, showsPath: isAble(roles, 'webhooks') };
  return endpoints.map((endpoint) => presentEndpointPage(endpoint, view));
}

async function presentOne(call: Call, endpoint: Endpoint) {
  const [data] = await presentAll(call, [endpoint]);
  if (data === undefined) throw new Error('presentAll returns as many as it receives');
  return data;
}

export const webhookRoutes = portalRoutes((route, { db, links }) => {
  route('GET /webhook-endpoints', {
    summary: 'List webhook endpoints',
    access: 'read',
    data: Type.Array(WebhookEndpointSchema),
    handle: async (call) => presentAll(call, await listEndpoints(call)),
  });

  route('GET /webhook-endpoints/:id', {
    summary: 'Get a webhook endpoint',
    access: 'read',
    ...one,
    data: WebhookEndpointSchema,
    handle: async (call) => presentOne(call, presentEndpoint(await getEndpointRow(db, keyOf(call)))),
  });

  route('POST /webhook-endpoints', {
    summary: 'Create a webhook endpoint',
    description: 'It receives the events from now on.',
    access: 'webhooks',
    stepUp: true,
    body: EndpointBody,
    status: 201,
    data: NewEndpointSecretSchema,
    problems: ['too-many-webhooks'],
    handle: (call) => createEndpoint(call, call.body),
  });

  route('POST /webhook-endpoints/:id', {
    summary: 'Change a webhook endpoint',
    access: 'webhooks',
    stepUp: true,
    ...one,
    body: EndpointBody,
    data: WebhookEndpointSchema,
    handle: async (call) => presentOne(call, await updateEndpoint(call, { ...call.params, ...call.body })),
  });

  route('POST /webhook-endpoints/:id/rotate', {
    summary: 'Give a webhook endpoint a new secret',
    description: 'For 24 hours, requests are signed with the previous secret as well.',
    access: 'webhooks',
    stepUp: true,
    ...one,
    data: NewEndpointSecretSchema,
    async handle(call) {
      const { id, secret } = await rotateSecret(call, call.params);
      return { id, secret };
    },
  });

  route('POST /webhook-endpoints/:id/state', {
    summary: 'Enable or disable a webhook endpoint',
    access: 'webhooks',
    ...one,
    body: EndpointStateBody,
    data: WebhookEndpointSchema,
    async handle(call) {
      const setState = call.body.state === 'enabled' ? enableEndpoint : disableEndpoint;
      return presentOne(call, await setState(call, call.params));
    },
  });

  route('DELETE /webhook-endpoints/:id', {
    summary: 'Delete a webhook endpoint with its delivery log',
    access: 'webhooks',
    ...one,
    handle: (call) => deleteEndpoint(call, call.params),
  });

  const problems = ['not-found', 'webhook-disabled'] as const;

  route('GET /webhook-endpoints/:id/deliveries', {
    summary: 'List the deliveries of a webhook endpoint',
    description: 'Newest event first.',
    access: 'read',
    ...one,
    query: DeliveriesQuery,
    returns: PageOf(WebhookDeliverySchema),
    async handle({ companyId, query, params }) {
      const key = keyOf({ companyId, params });
      await getEndpointRow(db, key);
      const page = await listDeliveries(db, key, query);
      return presentPage(page, query, ({ id: _id, total: _total, ...row }) => presentDelivery(row));
    },
  });

  route('GET /webhook-endpoints/:id/deliveries/:sequence', {
    summary: 'Get a delivery with its request and every attempt',
    access: 'read',
    params: DeliveryParams,
    data: DeliveryDetailsSchema,
    problems: ['not-found'],
    async handle({ companyId, user, params }) {
      const { sequence } = params;
      const key = keyOf({ companyId, params });
      const delivery = await findDelivery(db, key, sequence);
      if (delivery === undefined) throw notFound('delivery');
      const log = await listAttempts(db, key, sequence);
      const [event] = await listEventRows(db, key.companyId, [sequence]);
      const body = event === undefined ? null : renderBody(event, viewFor(user, links));
      return { ...presentDelivery(delivery), body, log: log.map(presentAttempt) };
    },
  });

  route('POST /webhook-endpoints/:id/test', {
    summary: 'Send a test event to a webhook endpoint',
    access: 'webhooks',
    params: EndpointParams,
    status: 201,
    data: SentTestSchema,
    problems,
    async handle(call) {
      const { sequence } = await sendTestEvent(call, call.params);
      return { sequence };
    },
  });

  route('POST /webhook-endpoints/:id/deliveries/:sequence/redeliver', {
    summary: 'Send one event again',
    access: 'webhooks',
    params: DeliveryParams,
    problems,
    handle: (call) => redeliverEvent(call, call.params),
  });

  route('POST /webhook-endpoints/:id/replay', {
    summary: 'Send a range of events again',
    description: 'Events that the endpoint did not choose are left out.',
    access: 'webhooks',
    params: EndpointParams,
    body: ReplayBody,
    data: ReplayedSchema,
    problems,
    async handle(call) {
      const { events } = await replayEvents(call, { ...call.params, ...call.body });
      return { deliveries: events };
    },
  });
});
