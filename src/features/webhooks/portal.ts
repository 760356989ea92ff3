import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isAble } from '../../domain/roles.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, PageOf } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { contextOf, userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
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
const endpointResponse = { 200: DataOf(WebhookEndpointSchema) };
const secretData = DataOf(NewEndpointSecretSchema);

const keyOf = (request: FastifyRequest, { id }: { id: number }) => ({
  companyId: userOf(request).companyId,
  endpointId: id,
});

async function presentAll(db: Db, request: FastifyRequest, endpoints: Endpoint[]) {
  const { companyId, roles } = userOf(request);
  const start = startOfLastDay();
  const ids = endpoints.map(({ id }) => id);
  const counts = await countAttempts(db, companyId, ids, start);
  const view = { counts, start, showsPath: isAble(roles, 'webhooks') };
  return endpoints.map((endpoint) => presentEndpointPage(endpoint, view));
}

async function presentOne(db: Db, request: FastifyRequest, endpoint: Endpoint) {
  const [data] = await presentAll(db, request, [endpoint]);
  if (data === undefined) throw new Error('presentAll returns as many as it receives');
  return { data };
}

const endpointRoutes: Routes = (app, context) => {
  const { db } = context;
  const changing = (request: FastifyRequest) => contextOf(request, context, 'webhooks');

  app.get(
    '/webhook-endpoints',
    portalOperation({
      summary: 'List webhook endpoints',
      access: 'read',
      response: { 200: DataOf(Type.Array(WebhookEndpointSchema)) },
    }),
    async (request) => ({
      data: await presentAll(db, request, await listEndpoints({ db, companyId: userOf(request).companyId })),
    }),
  );

  app.get(
    '/webhook-endpoints/:id',
    portalOperation({
      summary: 'Get a webhook endpoint',
      access: 'read',
      ...one,
      response: endpointResponse,
    }),
    async (request) =>
      presentOne(db, request, presentEndpoint(await getEndpointRow(db, keyOf(request, request.params)))),
  );

  app.post(
    '/webhook-endpoints',
    portalOperation({
      summary: 'Create a webhook endpoint',
      description: 'It receives the events from now on.',
      access: 'webhooks',
      stepUp: true,
      body: EndpointBody,
      response: { 201: secretData },
      problems: ['too-many-webhooks'],
    }),
    async (request) => {
      const data = await createEndpoint(changing(request), request.body);
      return { data };
    },
  );

  app.post(
    '/webhook-endpoints/:id',
    portalOperation({
      summary: 'Change a webhook endpoint',
      access: 'webhooks',
      stepUp: true,
      ...one,
      body: EndpointBody,
      response: endpointResponse,
    }),
    async (request) => {
      const input = { ...request.params, ...request.body };
      return presentOne(db, request, await updateEndpoint(changing(request), input));
    },
  );

  app.post(
    '/webhook-endpoints/:id/rotate',
    portalOperation({
      summary: 'Give a webhook endpoint a new secret',
      description: 'For 24 hours, requests are signed with the previous secret as well.',
      access: 'webhooks',
      stepUp: true,
      ...one,
      response: { 200: secretData },
    }),
    async (request) => {
      const { id, secret } = await rotateSecret(changing(request), request.params);
      return { data: { id, secret } };
    },
  );

  app.post(
    '/webhook-endpoints/:id/state',
    portalOperation({
      summary: 'Enable or disable a webhook endpoint',
      access: 'webhooks',
      ...one,
      body: EndpointStateBody,
      response: endpointResponse,
    }),
    async (request) => {
      const setState = request.body.state === 'enabled' ? enableEndpoint : disableEndpoint;
      return presentOne(db, request, await setState(changing(request), request.params));
    },
  );

  app.delete(
    '/webhook-endpoints/:id',
    portalOperation({
      summary: 'Delete a webhook endpoint with its delivery log',
      access: 'webhooks',
      ...one,
    }),
    async (request) => {
      await deleteEndpoint(changing(request), request.params);
    },
  );
};

const deliveryRoutes: Routes = (app, context) => {
  const { db, links } = context;
  const changing = (request: FastifyRequest) => contextOf(request, context, 'webhooks');
  const problems = ['not-found', 'webhook-disabled'] as const;

  app.get(
    '/webhook-endpoints/:id/deliveries',
    portalOperation({
      summary: 'List the deliveries of a webhook endpoint',
      description: 'Newest event first.',
      access: 'read',
      ...one,
      querystring: DeliveriesQuery,
      response: { 200: PageOf(WebhookDeliverySchema) },
    }),
    async (request) => {
      const key = keyOf(request, request.params);
      await getEndpointRow(db, key);
      const page = await listDeliveries(db, key, request.query);
      return presentPage(page, request.query, ({ id: _id, total: _total, ...row }) => presentDelivery(row));
    },
  );

  app.get(
    '/webhook-endpoints/:id/deliveries/:sequence',
    portalOperation({
      summary: 'Get a delivery with its request and every attempt',
      access: 'read',
      params: DeliveryParams,
      response: { 200: DataOf(DeliveryDetailsSchema) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { sequence } = request.params;
      const key = keyOf(request, request.params);
      const delivery = await findDelivery(db, key, sequence);
      if (delivery === undefined) throw notFound('delivery');
      const log = await listAttempts(db, key, sequence);
      const [event] = await listEventRows(db, key.companyId, [sequence]);
      const body = event === undefined ? null : renderBody(event, viewFor(userOf(request), links));
      return { data: { ...presentDelivery(delivery), body, log: log.map(presentAttempt) } };
    },
  );

  app.post(
    '/webhook-endpoints/:id/test',
    portalOperation({
      summary: 'Send a test event to a webhook endpoint',
      access: 'webhooks',
      params: EndpointParams,
      response: { 201: DataOf(SentTestSchema) },
      problems,
    }),
    async (request) => {
      const { sequence } = await sendTestEvent(changing(request), request.params);
      return { data: { sequence } };
    },
  );

  app.post(
    '/webhook-endpoints/:id/deliveries/:sequence/redeliver',
    portalOperation({
      summary: 'Send one event again',
      access: 'webhooks',
      params: DeliveryParams,
      problems,
    }),
    async (request) => {
      await redeliverEvent(changing(request), request.params);
    },
  );

  app.post(
    '/webhook-endpoints/:id/replay',
    portalOperation({
      summary: 'Send a range of events again',
      description: 'Events that the endpoint did not choose are left out.',
      access: 'webhooks',
      params: EndpointParams,
      body: ReplayBody,
      response: { 200: DataOf(ReplayedSchema) },
      problems,
    }),
    async (request) => {
      const { events } = await replayEvents(changing(request), { ...request.params, ...request.body });
      return { data: { deliveries: events } };
    },
  );
};

export const webhookRoutes: Routes = (app, context) => {
  endpointRoutes(app, context);
  deliveryRoutes(app, context);
};
