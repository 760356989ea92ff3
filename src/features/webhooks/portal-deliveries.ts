import { createMessage } from '../../domain/messages/message.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ApiError, invalidValue, notFound } from '../../platform/http/errors.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, maxInteger, PageOf, Reference } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import {
  DeliveriesQuery,
  DeliveryDetailsSchema,
  DeliveryParams,
  ReplayBody,
  ReplayedSchema,
  SentTestSchema,
  WebhookDeliverySchema,
  WebhookParams,
} from './contract.ts';
import { type EndpointKey, findEndpoint } from './endpoints.ts';
import { changeEndpoint, keyOf, noEndpoint } from './portal.ts';
import { presentAttempt, presentDelivery } from './portal-present.ts';
import { renderBody } from './present.ts';
import { redeliverEvent, replayEvents, sendTestEvent } from './redeliver.ts';
import { findDelivery, findDeliveryEvent, listAttempts, listDeliveries } from './store.ts';

async function assertEndpoint(db: Db, key: EndpointKey): Promise<void> {
  if ((await findEndpoint(db, key)) === undefined) throw noEndpoint();
}

async function assertEnabled(tx: Tx, key: EndpointKey): Promise<void> {
  const endpoint = await findEndpoint(tx, key);
  if (endpoint === undefined) throw noEndpoint();
  if (endpoint.state === 'disabled')
    throw new ApiError('webhook-disabled', 'The endpoint is disabled. Enable it first.');
}

const logRoutes: Routes = (app, { db, links }) => {
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
      await assertEndpoint(db, key);
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
};

const requestRoutes: Routes = (app, context) => {
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
      const key = keyOf(request, request.params.id);
      const { sequence } = await changeEndpoint(context, request, key, async (tx, by) => {
        await assertEnabled(tx, key);
        return sendTestEvent(tx, key, by.at, by);
      });
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
      const { id, sequence } = request.params;
      const key = keyOf(request, id);
      await changeEndpoint(context, request, key, async (tx, by) => {
        await assertEnabled(tx, key);
        if (!(await redeliverEvent(tx, key, sequence, by))) throw notFound('event');
        return true;
      });
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
      const key = keyOf(request, request.params.id);
      const { from, to } = request.body;
      if (to !== null && to < from) {
        throw invalidValue('/to', 'range', createMessage('value-not-before-from'));
      }
      const { deliveries } = await changeEndpoint(context, request, key, async (tx, by) => {
        await assertEnabled(tx, key);
        const events = await replayEvents(tx, key, { from, to: to ?? maxInteger }, by);
        return events === undefined ? undefined : { deliveries: events };
      });
      return { data: { deliveries } };
    },
  );
};

export const deliveryRoutes: Routes = (app, context) => {
  logRoutes(app, context);
  requestRoutes(app, context);
};
