import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { isAble } from '../../domain/roles.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, invalidValue, notFound } from '../../platform/http/errors.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, Reference } from '../../platform/http/schemas.ts';
import { findWrongUrl } from '../../platform/outgoing/urls.ts';
import { actorOf, lockAbility, userOf } from '../accounts/guard.ts';
import type { PortalUser } from '../accounts/users/store.ts';
import type { AppContext, Routes } from '../context.ts';
import { NewWebhookSecretSchema, WebhookBody, WebhookParams, WebhookSchema, WebhookStateBody } from './contract.ts';
import {
  deleteEndpoint,
  disableEndpoint,
  type EndpointKey,
  type EndpointRow,
  enableEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  maxEndpoints,
  rotateEndpointSecret,
  updateEndpoint,
} from './endpoints.ts';
import { presentWebhook, startOfLastDay } from './portal-present.ts';
import { countAttempts } from './store.ts';

export const noEndpoint = () => notFound('endpoint');

export const keyOf = (request: FastifyRequest, endpointId: number): EndpointKey => ({
  companyId: userOf(request).companyId,
  endpointId,
});

async function presentAll(db: Db | Tx, { companyId, roles }: PortalUser, rows: EndpointRow[]) {
  const start = startOfLastDay();
  const ids = rows.map(({ id }) => id);
  const counts = await countAttempts(db, companyId, ids, start);
  const view = { counts, start, showsPath: isAble(roles, 'webhooks') };
  return rows.map((row) => presentWebhook(row, view));
}

async function getWebhook(db: Db | Tx, user: PortalUser, key: EndpointKey) {
  const row = await findEndpoint(db, key);
  const [webhook] = row === undefined ? [] : await presentAll(db, user, [row]);
  if (webhook === undefined) throw noEndpoint();
  return webhook;
}

/** Throws if the service would never call this URL. */
async function assertUrl(url: string, { environment, webhookAllowPrivate: allowPrivate }: Config): Promise<void> {
  const problem = await findWrongUrl(url, { environment, allowPrivate });
  if (problem !== undefined) throw invalidValue('/url', 'url', problem);
}

/** Runs a change of one endpoint in a transaction of its company. Throws if it returns nothing: there is no endpoint. */
export async function changeEndpoint<T>(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  request: FastifyRequest,
  key: EndpointKey,
  change: (tx: Tx, by: { actor: ReturnType<typeof actorOf>; at: Temporal.Instant }) => Promise<T | undefined | false>,
): Promise<T> {
  const by = { actor: actorOf(request), at: clock.now() };
  return writeCompany(db, key.companyId, async (tx) => {
    await lockAbility(tx, request, 'webhooks');
    const result = await change(tx, by);
    if (result === undefined || result === false) throw noEndpoint();
    return result;
  });
}

const settingsOf = ({ url, eventTypes, description }: Static<typeof WebhookBody>) => ({
  url: url.trim(),
  eventTypes,
  description: description.trim(),
});

const readRoutes: Routes = (app, { db }) => {
  app.get(
    '/webhooks',
    portalOperation({
      id: 'listWebhooks',
      summary: 'List webhook endpoints',
      access: 'read',
      response: { 200: DataOf(Type.Array(Reference(WebhookSchema))) },
    }),
    async (request) => {
      const user = userOf(request);
      return { data: await presentAll(db, user, await listEndpoints(db, user.companyId)) };
    },
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
    async (request) => ({ data: await getWebhook(db, userOf(request), keyOf(request, request.params.id)) }),
  );
};

const settingRoutes: Routes = (app, context) => {
  const { config, db, clock, encryption } = context;

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
      const { companyId } = userOf(request);
      const settings = settingsOf(request.body);
      await assertUrl(settings.url, config);
      const by = { actor: actorOf(request), at: clock.now() };
      const data = await writeCompany(db, companyId, async (tx) => {
        await lockAbility(tx, request, 'webhooks');
        return insertEndpoint(tx, encryption, { companyId, ...settings }, by);
      });
      if (data === undefined) {
        const detail = `Your company has ${maxEndpoints} endpoints already. Delete one that you do not need any more.`;
        throw new ApiError('too-many-webhooks', detail);
      }
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
    async (request) => {
      const key = keyOf(request, request.params.id);
      await getWebhook(db, userOf(request), key);
      const settings = settingsOf(request.body);
      await assertUrl(settings.url, config);
      const data = await changeEndpoint(context, request, key, async (tx, by) =>
        (await updateEndpoint(tx, key, settings, by)) ? getWebhook(tx, userOf(request), key) : undefined,
      );
      return { data };
    },
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
      const key = keyOf(request, request.params.id);
      const { secret } = await changeEndpoint(context, request, key, (tx, by) =>
        rotateEndpointSecret(tx, encryption, key, by),
      );
      return { data: { id: key.endpointId, secret } };
    },
  );
};

const stateRoutes: Routes = (app, context) => {
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
      const key = keyOf(request, request.params.id);
      const data = await changeEndpoint(context, request, key, async (tx, by) => {
        const isEnabling = request.body.state === 'enabled';
        const isFound = isEnabling ? await enableEndpoint(tx, key, by) : await disableEndpoint(tx, key, 'manual', by);
        return isFound ? getWebhook(tx, userOf(request), key) : undefined;
      });
      return { data };
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
      const key = keyOf(request, request.params.id);
      await changeEndpoint(context, request, key, (tx, by) => deleteEndpoint(tx, key, by));
      return reply.code(204).send();
    },
  );
};

export const webhookRoutes: Routes = (app, context) => {
  readRoutes(app, context);
  settingRoutes(app, context);
  stateRoutes(app, context);
};
