import { randomUUID } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyBaseLogger, LogController, type RouteOptions } from 'fastify';
import { createAuthenticator } from './auth/authenticate.ts';
import { assertRouteIsGuarded, createGuard } from './auth/guard.ts';
import { createKeyedHash } from './auth/keyed-hash.ts';
import { MeSchema, meRoutes } from './auth/routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { BillingItemSchema } from './billing/schema.ts';
import type { AppContext, Routes } from './context.ts';
import { employeeDocumentRoutes } from './documents/routes.ts';
import { EmployeeDocumentSchema } from './documents/schema.ts';
import { employeeRoutes } from './employees/routes.ts';
import { EmployeeSchema } from './employees/schema.ts';
import { unavailable } from './errors.ts';
import { hrIntegrationRoutes } from './hr-integrations/routes.ts';
import { HrIntegrationSchema } from './hr-integrations/schema.ts';
import { SyncPreviewSchema } from './hr-integrations/sync/preview.ts';
import { RosterSchema } from './hr-integrations/sync/roster-schema.ts';
import { syncRoutes } from './hr-integrations/sync/routes.ts';
import { SyncRecordSchema, SyncSchema, SyncWarningSchema } from './hr-integrations/sync/schema.ts';
import { createClientErrorHandler, handleProtocolErrors } from './http/client-error.ts';
import { registerDocs } from './http/docs.ts';
import { drainOnClose } from './http/drain.ts';
import { healthRoutes } from './http/health.ts';
import { readJsonBodies } from './http/json-body.ts';
import { acceptEveryMethod, refuseOtherMethods } from './http/method-not-allowed.ts';
import { registerOpenapi } from './http/openapi.ts';
import { ProblemSchema } from './http/operation.ts';
import { readParameters } from './http/parameters.ts';
import { createErrorHandler, sendProblem, toApiError } from './http/problem.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { assertHead } from './http/request-head.ts';
import { recordResponses } from './http/request-log.ts';
import { LinkSchema, MoneySchema } from './http/schemas.ts';
import { securityHeaders } from './http/security-headers.ts';
import { createCounter } from './http/shared-counter.ts';
import { shedLoad } from './http/shed-load.ts';
import { presentTrust } from './http/trust-proxy.ts';
import { validatorOptions } from './http/validator.ts';
import { noSuchPath, registerPages } from './portal/pages.ts';
import { registerPortal } from './portal/routes.ts';
import { walletRoutes } from './wallet/routes.ts';

const slices: Routes[] = [
  employeeRoutes,
  employeeDocumentRoutes,
  billingRoutes,
  hrIntegrationRoutes,
  syncRoutes,
  walletRoutes,
  meRoutes,
  healthRoutes,
];
const sharedSchemas = [
  LinkSchema,
  MoneySchema,
  ProblemSchema,
  EmployeeSchema,
  EmployeeDocumentSchema,
  BillingItemSchema,
  HrIntegrationSchema,
  RosterSchema,
  SyncSchema,
  SyncRecordSchema,
  SyncWarningSchema,
  SyncPreviewSchema,
  MeSchema,
];

const maxHeadBytes = 16 * 1024;
const maxBodyBytes = 16 * 1024;

function createServer({ config, links }: AppContext, log: FastifyBaseLogger) {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    trustProxy: presentTrust(config.trustProxy),
    routerOptions: {
      // Equals the limit of the request head, so that an overlong id is reported as invalid and not as an unknown path.
      maxParamLength: maxHeadBytes,
      querystringParser: (text) => ({ text }),
    },
    // The limit for forms and other small bodies. Routes that accept a roster set a limit of their own.
    bodyLimit: maxBodyBytes,
    // Uploading a large roster over a slow line takes time. The connection timeout ends uploads that stall.
    requestTimeout: 300_000,
    // Node closes the connection of a client that stops reading only after twice this time.
    connectionTimeout: 40_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 20_000, maxHeaderSize: maxHeadBytes, requireHostHeader: false },
    // The service still processes requests that arrive on open connections while it stops.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: createClientErrorHandler(links),
    frameworkErrors: (error, _request, reply) => sendProblem(reply, toApiError(error), links),
    ajv: validatorOptions as never,
  }).withTypeProvider<TypeBoxTypeProvider>();
}

type Server = ReturnType<typeof createServer>;

async function refuseWhenLate(app: Server, { config }: AppContext): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: config.overloadDelayMillis,
    // Before its first sample, the plugin reports an infinite delay, which means nothing.
    pressureHandler: (_request, _reply, _type, delay) => {
      if (delay === Number.POSITIVE_INFINITY) return;
      throw unavailable('More requests are under way than can be answered in time.');
    },
  });
}

/**
 * Builds the HTTP application. Every route is registered explicitly. Throws for a route that declares neither
 * permissions nor `public`. Calls `onRoute` with each route.
 */
export async function buildApp(
  parts: AppContext,
  log: FastifyBaseLogger,
  onRoute: (route: RouteOptions) => void = () => {},
) {
  const { config, db, links } = parts;
  const app = createServer(parts, log);
  handleProtocolErrors(app.server, links);
  acceptEveryMethod(app);
  shedLoad(app.server, parts, log);
  // Types define the responses, and the tests check each response against its schema, so the serializer need not remove
  // anything.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(createErrorHandler(links));
  app.setNotFoundHandler(async (request, reply) => {
    const page = pages.answer(request, reply);
    if (page !== undefined) return page;
    throw noSuchPath(request);
  });
  readJsonBodies(app);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('user', undefined);
  drainOnClose(app, config.stopDrainMillis);
  const headers = { ...securityHeaders(), 'cache-control': 'no-store' };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    assertHead(request.raw);
    done();
  });
  recordResponses(app, parts.metrics);
  await refuseWhenLate(app, parts);
  for (const schema of sharedSchemas) app.addSchema(schema);
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
    onRoute(route);
  });
  const authenticate = createAuthenticator({
    db,
    environment: config.environment,
    onError: (error) => log.warn({ err: error }, 'last use of a key could not be noted'),
  });
  const counter = createCounter(db, log);
  app.addHook('onClose', async () => counter.stop());
  const limiter = createRateLimiter(config.rateLimits, counter);
  app.addHook('onRequest', createGuard(authenticate, limiter, createKeyedHash(parts.sessionSecret)));
  await registerOpenapi(app, links);
  await app.register(
    async (api) => {
      readParameters(api);
      for (const slice of slices) slice(api.withTypeProvider<TypeBoxTypeProvider>(), parts);
    },
    { prefix: '/v1' },
  );
  await registerPortal(app, parts, { counter, limiter, log });
  await registerDocs(app);
  const pages = await registerPages(app, parts.pages);
  for (const route of routes) assertRouteIsGuarded(route);
  refuseOtherMethods(app, [...routes]);
  await app.ready();
  return app;
}
