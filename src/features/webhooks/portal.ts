import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isAble } from '../../domain/roles.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, PageOf, Reference } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { contextOf, userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import {
  DeliveriesQuery,
  DeliveryDetailsSchema,
  DeliveryParams,
  NewWebhookSecretSchema,
  ReplayBody,
  ReplayedSchema,
  SentTestSchema,
  WebhookBody,
  WebhookDeliverySchema,
  WebhookParams,
  WebhookSchema,
  WebhookStateBody,
} from './contract.ts';
import { createEndpoint } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { enableEndpoint } from './enable-endpoint.ts';
import { listEndpoints } from './list-endpoints.ts';
import {
  type Endpoint,
  presentAttempt,
  presentDelivery,
  presentEndpoint,
  presentWebhook,
  renderBody,
  startOfLastDay,
} from './present.ts';
import { redeliverEvent } from './redeliver-event.ts';
import { replayEvents } from './replay-events.ts';
import { rotateSecret } from './rotate-secret.ts';
import { sendTestEvent } from './send-test-event.ts';
import {
  countAttempts,
  type EndpointKey,
  findDelivery,
  findDeliveryEvent,
  getEndpointRow,
  listAttempts,
  listDeliveries,
} from './store.ts';
import { updateEndpoint } from './update-endpoint.ts';

const keyOf = (request: FastifyRequest, endpointId: number): EndpointKey => ({
  companyId: userOf(request).companyId,
  endpointId,
});

async function presentAll(db: Db, request: FastifyRequest, endpoints: Endpoint[]) {
  const { companyId, roles } = userOf(request);
  const start = startOfLastDay();
  const ids = endpoints.map(({ id }) => id);
  const counts = await countAttempts(db, companyId, ids, start);
  const view = { counts, start, showsPath: isAble(roles, 'webhooks') };
  return endpoints.map((endpoint) => presentWebhook(endpoint, view));
}

async function presentOne(db: Db, request: FastifyRequest, endpoint: Endpoint) {
  const [data] = await presentAll(db, request, [endpoint]);
  if (data === undefined) throw new Error('presentAll returns as many as it receives');
  return { data };
}

const readRoutes: Routes = (app, { db }) => {
  app.get(
    '/webhooks',
    portalOperation({
      id: 'listWebhooks',
      summary: 'List webhook endpoints',
      access: 'read',
      response: { 200: DataOf(Type.Array(Reference(WebhookSchema))) },
    }),
    async (request) => ({
      data: await presentAll(db, request, await listEndpoints({ db, companyId: userOf(request).companyId })),
    }),
  );

  app.get(
    '/webhooks/:id',
    portalOperation({
      id: 'getWebhook',
      summary: 'Get a webhook endpoint',
      access: 'read',
      params: WebhookParams,
      response: { 200: DataOf(Reference(WebhookSchema)) },
      problems: ['not-found'],
    }),
    async (request) =>
      presentOne(db, request, presentEndpoint(await getEndpointRow(db, keyOf(request, request.params.id)))),
  );
};

const settingRoutes: Routes = (app, context) => {
  const { db } = context;

  app.post(
    '/webhooks',
    portalOperation({
      id: 'createWebhook',
      summary: 'Create a webhook endpoint',
      description: 'It receives the events from now on.',
      access: 'webhooks',
      stepUp: true,
      body: WebhookBody,
      response: { 201: DataOf(Reference(NewWebhookSecretSchema)) },
      problems: ['too-many-webhooks'],
    }),
    async (request, reply) => {
      const data = await createEndpoint(contextOf(request, context, 'webhooks'), request.body);
      reply.code(201);
      return { data };
    },
  );

  app.post(
    '/webhooks/:id',
    portalOperation({
      id: 'updateWebhook',
      summary: 'Change a webhook endpoint',
      access: 'webhooks',
      stepUp: true,
      params: WebhookParams,
      body: WebhookBody,
      response: { 200: DataOf(Reference(WebhookSchema)) },
      problems: ['not-found'],
    }),
    async (request) =>
      presentOne(
        db,
        request,
        await updateEndpoint(contextOf(request, context, 'webhooks'), { ...request.params, ...request.body }),
      ),
  );

  app.post(
    '/webhooks/:id/rotate',
    portalOperation({
      id: 'rotateWebhookSecret',
      summary: 'Give a webhook endpoint a new secret',
      description: 'For 24 hours, requests are signed with the previous secret as well.',
      access: 'webhooks',
      stepUp: true,
      params: WebhookParams,
      response: { 200: DataOf(Reference(NewWebhookSecretSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { id, secret } = await rotateSecret(contextOf(request, context, 'webhooks'), request.params);
      return { data: { id, secret } };
    },
  );

  app.post(
    '/webhooks/:id/state',
    portalOperation({
      id: 'setWebhookState',
      summary: 'Enable or disable a webhook endpoint',
      access: 'webhooks',
      params: WebhookParams,
      body: WebhookStateBody,
      response: { 200: DataOf(Reference(WebhookSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const setState = request.body.state === 'enabled' ? enableEndpoint : disableEndpoint;
      return presentOne(db, request, await setState(contextOf(request, context, 'webhooks'), request.params));
    },
  );

  app.delete(
    '/webhooks/:id',
    portalOperation({
      id: 'deleteWebhook',
      summary: 'Delete a webhook endpoint with its delivery log',
      access: 'webhooks',
      params: WebhookParams,
      response: { 204: NoContent },
      problems: ['not-found'],
    }),
    async (request, reply) => {
      await deleteEndpoint(contextOf(request, context, 'webhooks'), request.params);
      return reply.code(204).send();
    },
  );
};

const deliveryRoutes: Routes = (app, context) => {
  const { db, links } = context;

  app.get(
    '/webhooks/:id/deliveries',
    portalOperation({
      id: 'listDeliveries',
      summary: 'List the deliveries of a webhook endpoint',
      description: 'Newest event first.',
      access: 'read',
      params: WebhookParams,
      querystring: DeliveriesQuery,
      response: { 200: PageOf(Reference(WebhookDeliverySchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const key = keyOf(request, request.params.id);
      await getEndpointRow(db, key);
      return presentPage(await listDeliveries(db, key, request.query), request.query, presentDelivery);
    },
  );

  app.get(
    '/webhooks/:id/deliveries/:sequence',
    portalOperation({
      id: 'getDelivery',
      summary: 'Get a delivery with its request and every attempt',
      access: 'read',
      params: DeliveryParams,
      response: { 200: DataOf(Reference(DeliveryDetailsSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { id, sequence } = request.params;
      const key = keyOf(request, id);
      const delivery = await findDelivery(db, key, sequence);
      if (delivery === undefined) throw notFound('delivery');
      const log = await listAttempts(db, key, sequence);
      const event = await findDeliveryEvent(db, key.companyId, sequence);
      const body = event === undefined ? null : renderBody(event, viewFor(userOf(request), links));
      return { data: { ...presentDelivery(delivery), body, log: log.map(presentAttempt) } };
    },
  );

  app.post(
    '/webhooks/:id/test',
    portalOperation({
      id: 'testWebhook',
      summary: 'Send a test event to a webhook endpoint',
      access: 'webhooks',
      params: WebhookParams,
      response: { 201: DataOf(SentTestSchema) },
      problems: ['not-found', 'webhook-disabled'],
    }),
    async (request, reply) => {
      const { sequence } = await sendTestEvent(contextOf(request, context, 'webhooks'), request.params);
      reply.code(201);
      return { data: { sequence } };
    },
  );

  app.post(
    '/webhooks/:id/deliveries/:sequence/redeliver',
    portalOperation({
      id: 'redeliver',
      summary: 'Send one event again',
      access: 'webhooks',
      params: DeliveryParams,
      response: { 204: NoContent },
      problems: ['not-found', 'webhook-disabled'],
    }),
    async (request, reply) => {
      await redeliverEvent(contextOf(request, context, 'webhooks'), request.params);
      return reply.code(204).send();
    },
  );

  app.post(
    '/webhooks/:id/replay',
    portalOperation({
      id: 'replayEvents',
      summary: 'Send a range of events again',
      description: 'Events that the endpoint did not choose are left out.',
      access: 'webhooks',
      params: WebhookParams,
      body: ReplayBody,
      response: { 200: DataOf(ReplayedSchema) },
      problems: ['not-found', 'webhook-disabled'],
    }),
    async (request) => {
      const input = { ...request.params, ...request.body };
      const { events } = await replayEvents(contextOf(request, context, 'webhooks'), input);
      return { data: { deliveries: events } };
    },
  );
};

export const webhookRoutes: Routes = (app, context) => {
  readRoutes(app, context);
  settingRoutes(app, context);
  deliveryRoutes(app, context);
};
