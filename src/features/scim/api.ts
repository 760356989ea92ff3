import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import { type ApiError, problems } from '../../platform/http/errors.ts';
import { readJsonBodies } from '../../platform/http/json-body.ts';
import { toApiError } from '../../platform/http/problem.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import type { AppContext } from '../context.ts';
import { runBulk } from './bulk.ts';
import { describeProvider, listResourceTypes, listSchemas, maxBulkBytes } from './discovery.ts';
import { readBefore, recordExchange } from './record-case.ts';
import {
  type Exchange,
  kinds,
  list,
  type Outcome,
  operate,
  presentList,
  searchOfBody,
  searchOfQuery,
} from './resources.ts';
import { isObject, type Json } from './rules/names.ts';
import { badRequest, presentScimError, ScimError, type ScimType } from './scim-error.ts';
import { findScimCaller, type ScimCaller, scimUrl } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    scimCaller: ScimCaller | undefined;
    /** What a request changes, as it was before. Only while its integration records a case. */
    scimBefore: unknown;
  }
}

const mediaType = 'application/scim+json; charset=utf-8';

const maxBodyBytes = 262_144;

const send = (reply: FastifyReply, status: number, body: Json) =>
  reply.code(status).type(mediaType).serializer(JSON.stringify).send(body);

const scimTypes: Partial<Record<ApiError['code'], ScimType>> = {
  'malformed-body': 'invalidSyntax',
  'invalid-body': 'invalidSyntax',
  'body-too-large': 'tooMany',
};

/** Sends every error in the form of SCIM (RFC 7644, 3.12). */
function handleError(error: FastifyError | ScimError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ScimError) {
    if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="scim"');
    return send(reply, error.status, presentScimError(error.status, error.message, error.scimType));
  }
  const apiError = toApiError(error);
  const { status } = problems[apiError.code];
  if (status >= 500) request.log.error({ err: error, code: apiError.code }, 'request failed');
  request.problem = apiError.code;
  reply.headers(apiError.headers ?? {});
  return send(reply, status, presentScimError(status, apiError.message, scimTypes[apiError.code]));
}

function sendOutcome(reply: FastifyReply, { status, body, location, version }: Outcome): FastifyReply {
  if (location !== undefined) reply.header('location', location);
  if (version !== undefined) reply.header('etag', version);
  return body === undefined ? reply.code(status).send() : send(reply, status, body);
}

const options = { config: { scim: true as const }, schema: { hide: true }, bodyLimit: maxBodyBytes };

/** Registers SCIM 2.0 (RFC 7643, RFC 7644) for identity providers, with errors of its own form. */
export async function registerScim(
  app: App,
  { db, clock, queue, config }: AppContext,
  { limiter }: { limiter: RateLimiter },
): Promise<void> {
  const base = scimUrl(config.publicUrl);
  app.decorateRequest('scimCaller', undefined);
  app.decorateRequest('scimBefore', undefined);

  const callerOf = ({ scimCaller }: FastifyRequest): ScimCaller => {
    if (scimCaller === undefined) throw new Error('The guard of SCIM has not run.');
    return scimCaller;
  };

  function exchangeOf(request: FastifyRequest): Exchange {
    const { headers, body } = request;
    return {
      context: { db, clock, queue, caller: callerOf(request) },
      base,
      query: new URLSearchParams((request.query as { text: string }).text),
      body,
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
    };
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await findScimCaller(db, config.environment, request.headers.authorization);
    if (caller === undefined) {
      request.log.warn({ network: request.ip, reason: 'invalid credentials' }, 'authentication failed');
      limiter.countFailure(request, reply);
      throw new ScimError(
        401,
        'The token is not valid. Create a new one on the page of the integration, and enter it at the identity provider.',
      );
    }
    request.scimCaller = caller;
    limiter.countScim(caller, reply);
    if (!caller.isActive) {
      throw new ScimError(403, 'The integration is disabled. Enable it in the developer portal.');
    }
  }

  await app.register(
    async (scim) => {
      readJsonBodies(scim, 'application/scim+json');
      scim.setErrorHandler(handleError);
      scim.setNotFoundHandler(() => {
        throw new ScimError(404, 'There is no such endpoint. See /ResourceTypes for those of this service.');
      });
      scim.addHook('onRequest', async (request, reply) => {
        if (!request.is404) await admit(request, reply);
      });

      scim.addHook('preHandler', async (request) => {
        const caller = request.scimCaller;
        if (caller?.caseId) request.scimBefore = await readBefore(db, caller, request);
      });
      scim.addHook('onSend', async (request, reply, payload) => {
        const caller = request.scimCaller;
        if (!caller?.caseId) return;
        const sent = { status: reply.statusCode, payload, before: request.scimBefore };
        await recordExchange(db, { ...caller, caseId: caller.caseId }, request, sent).catch((error) => {
          request.log.warn({ err: error }, 'request not added to case');
        });
      });

      for (const resources of kinds) {
        const { path } = resources;
        const operation = async (request: FastifyRequest, reply: FastifyReply) => {
          const { id } = request.params as { id?: string };
          return sendOutcome(reply, await operate(request.method, resources, id, exchangeOf(request)));
        };
        scim.get(`/${path}`, options, async (request, reply) => {
          const exchange = exchangeOf(request);
          return send(reply, 200, await list([resources], exchange, searchOfQuery(exchange.query)));
        });
        scim.post(`/${path}`, options, operation);
        scim.post(`/${path}/.search`, options, (request, reply) => search(request, reply, [resources]));
        scim.get(`/${path}/:id`, { ...options, exposeHeadRoute: false }, operation);
        scim.put(`/${path}/:id`, options, operation);
        scim.patch(`/${path}/:id`, options, operation);
        scim.delete(`/${path}/:id`, options, operation);
      }

      async function search(request: FastifyRequest, reply: FastifyReply, some: typeof kinds) {
        if (!isObject(request.body)) throw badRequest('invalidSyntax', 'The body is not a search request.');
        return send(reply, 200, await list(some, exchangeOf(request), searchOfBody(request.body)));
      }
      scim.post('/.search', options, (request, reply) => search(request, reply, kinds));

      scim.post('/Bulk', { ...options, bodyLimit: maxBulkBytes }, async (request, reply) => {
        const count = () => limiter.countScim(callerOf(request), reply);
        return send(reply, 200, await runBulk(exchangeOf(request), count));
      });

      const found = (resources: Json[], request: FastifyRequest, reply: FastifyReply) => {
        const { id } = request.params as { id: string };
        const one = resources.find((resource) => String(resource.id).toLowerCase() === id.toLowerCase());
        if (one === undefined) throw new ScimError(404, 'There is no such schema or resource type. List them all.');
        return send(reply, 200, one);
      };
      const documentation = `${config.publicUrl}/docs/connect-entra-id`;
      scim.get('/ServiceProviderConfig', options, (_, reply) =>
        send(reply, 200, describeProvider(base, documentation)),
      );
      scim.get('/Schemas', options, (_, reply) => send(reply, 200, presentList(listSchemas(base))));
      scim.get('/Schemas/:id', options, (request, reply) => found(listSchemas(base), request, reply));
      scim.get('/ResourceTypes', options, (_, reply) => send(reply, 200, presentList(listResourceTypes(base))));
      scim.get('/ResourceTypes/:id', options, (request, reply) => found(listResourceTypes(base), request, reply));
      const refuseMe = () => {
        throw new ScimError(
          501,
          'The token belongs to an integration and not to a user, so there is no /Me. Use /Users.',
        );
      };
      scim.route({ ...options, method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], url: '/Me', handler: refuseMe });
    },
    { prefix: '/scim/v2' },
  );
}
