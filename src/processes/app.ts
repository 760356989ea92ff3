import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController, type RouteOptions } from 'fastify';
import { registerDocs } from '../docs-site/routes.ts';
import { billingRoutes } from '../features/billing/api.ts';
import { BillingItemSchema } from '../features/billing/contract.ts';
import { principalOf } from '../features/caller.ts';
import { hintRoutes } from '../features/connectors/hints/api.ts';
import type { AppContext, Routes } from '../features/context.ts';
import { correctionRoutes } from '../features/corrections/api.ts';
import { CorrectionsBody, CorrectionsSchema } from '../features/corrections/contract.ts';
import { employeeDocumentRoutes } from '../features/documents/api.ts';
import { EmployeeDocumentSchema } from '../features/documents/contract.ts';
import type { DocumentStore } from '../features/documents/files.ts';
import { registerUnsubscribe } from '../features/employee-mails/unsubscribe.ts';
import { employeeRoutes } from '../features/employees/api.ts';
import { EmployeeSchema, SubscriptionHistoryEntrySchema } from '../features/employees/contract.ts';
import { eventRoutes } from '../features/events/api.ts';
import { eventSchemas } from '../features/events/components.ts';
import { describeWebhooks } from '../features/events/webhooks-section.ts';
import { forecastRoutes } from '../features/forecast/api.ts';
import { ForecastBody, ForecastSchema } from '../features/forecast/contract.ts';
import { hrIntegrationRoutes } from '../features/integrations/api.ts';
import { HrIntegrationSchema } from '../features/integrations/contract.ts';
import { invoiceRoutes } from '../features/invoices/api.ts';
import { InvoiceSchema } from '../features/invoices/contract.ts';
import { issuerRoutes } from '../features/issuers/api.ts';
import { MeSchema, meRoutes } from '../features/keys/api.ts';
import { createAuthenticator } from '../features/keys/authenticate.ts';
import { createKeyedHash } from '../features/keys/credentials.ts';
import { assertRouteIsGuarded, createGuard } from '../features/keys/guard.ts';
import { payrollRoutes } from '../features/payroll/api.ts';
import { PayrollExportSchema } from '../features/payroll/contract.ts';
import { createRequestLog } from '../features/requests/log.ts';
import { syncRoutes } from '../features/roster/api.ts';
import {
  RosterSchema,
  SyncPreviewSchema,
  SyncRecordSchema,
  SyncSchema,
  SyncWarningSchema,
} from '../features/roster/contract.ts';
import { registerScim } from '../features/scim/api.ts';
import { subscriptionRequestRoutes } from '../features/subscriptions/api.ts';
import {
  SubscriptionRequestBody,
  SubscriptionRequestResultSchema,
  SubscriptionRequestSchema,
  SubscriptionRequestsBody,
} from '../features/subscriptions/contract.ts';
import { walletRoutes } from '../features/wallet/api.ts';
import type { Wallets } from '../features/wallet/wallets.ts';
import { registerMcp } from '../mcp/routes.ts';
import { registerMy } from '../my/routes.ts';
import { todayTextIn } from '../platform/clock/clock.ts';
import { readVersion } from '../platform/config/version.ts';
import { createVersionReader } from '../platform/db/versions.ts';
import { unavailable } from '../platform/http/errors.ts';
import { healthRoutes } from '../platform/http/health.ts';
import { readJsonBodies } from '../platform/http/json-body.ts';
import { keepPages } from '../platform/http/kept-pages.ts';
import { registerOpenapi } from '../platform/http/openapi.ts';
import { readParameters } from '../platform/http/parameters.ts';
import { createErrorHandler, sendProblem, toApiError } from '../platform/http/problem.ts';
import { ProblemSchema } from '../platform/http/problem-schema.ts';
import { createCounter, createRateLimiter, networkOf } from '../platform/http/rate-limit.ts';
import {
  acceptEveryMethod,
  checkHeads,
  findKnownPaths,
  recordResponses,
  refuseOtherMethods,
} from '../platform/http/request-hooks.ts';
import { LinkSchema, MoneySchema } from '../platform/http/schemas.ts';
import {
  createAddressReader,
  createClientErrorHandler,
  createServerFactory,
  drainOnClose,
  maxHeadBytes,
  presentTrust,
} from '../platform/http/server.ts';
import { createSlots } from '../platform/http/slot-limits.ts';
import { traceRequests } from '../platform/http/trace-requests.ts';
import { compileValidator } from '../platform/http/validator.ts';
import { noSuchPath, registerPages } from '../portal/pages.ts';
import { registerPortal } from '../portal/routes.ts';

const slices: Routes<ServiceContext>[] = [
  employeeRoutes,
  subscriptionRequestRoutes,
  employeeDocumentRoutes,
  billingRoutes,
  correctionRoutes,
  forecastRoutes,
  payrollRoutes,
  invoiceRoutes,
  hrIntegrationRoutes,
  syncRoutes,
  eventRoutes,
  walletRoutes,
  issuerRoutes,
  hintRoutes,
  meRoutes,
  healthRoutes,
];
const sharedSchemas = [
  LinkSchema,
  MoneySchema,
  ProblemSchema,
  EmployeeSchema,
  SubscriptionHistoryEntrySchema,
  SubscriptionRequestBody,
  SubscriptionRequestsBody,
  SubscriptionRequestSchema,
  SubscriptionRequestResultSchema,
  EmployeeDocumentSchema,
  BillingItemSchema,
  CorrectionsBody,
  CorrectionsSchema,
  ForecastBody,
  ForecastSchema,
  PayrollExportSchema,
  InvoiceSchema,
  HrIntegrationSchema,
  RosterSchema,
  SyncSchema,
  SyncRecordSchema,
  SyncWarningSchema,
  SyncPreviewSchema,
  MeSchema,
  ...eventSchemas,
];

export const maxBodyBytes = 16 * 1024;

export type ServiceContext = AppContext & { documents: DocumentStore; wallets: Wallets };

function createApp(
  { config, links, waiting, metrics }: ServiceContext,
  log: FastifyBaseLogger,
  senderOf: (request: IncomingMessage) => number | string,
) {
  return Fastify({
    serverFactory: createServerFactory({ waiting, maxWaiting: config.overloadQueue, senderOf, links, metrics, log }),
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
    // The service still processes requests that arrive on open connections while it stops.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: createClientErrorHandler(links),
    frameworkErrors: (error, _request, reply) => sendProblem(reply, toApiError(error), links),
  }).withTypeProvider<TypeBoxTypeProvider>();
}

type Application = ReturnType<typeof createApp>;

async function refuseWhenDelayed(app: Application, { config, metrics }: AppContext): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: config.overloadDelayMillis,
    // Before its first sample, the plugin reports an infinite delay, which means nothing.
    pressureHandler: (_request, _reply, _type, delay) => {
      if (delay === Number.POSITIVE_INFINITY) return;
      metrics.recordOverload('event-loop');
      throw unavailable('More requests are in progress than the service can process in time.');
    },
  });
}

/** Opens the log of requests that are made with keys. Its routes are those that are registered afterwards. */
function openRequestLog(app: Application, { db, metrics }: ServiceContext, log: FastifyBaseLogger) {
  const parameters = new Map<string, ReadonlySet<string>>();
  app.addHook('onRoute', ({ url, schema }) => {
    const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object };
    parameters.set(url, new Set([...(parameters.get(url) ?? []), ...Object.keys(properties)]));
  });
  const none: ReadonlySet<string> = new Set();
  const requestLog = createRequestLog({
    db,
    parametersOf: (route) => parameters.get(route) ?? none,
    onDropped: metrics.recordUnlogged,
    onError: (error) => log.warn({ err: error }, 'requests could not be logged'),
  });
  app.addHook('onClose', () => requestLog.stop());
  return requestLog;
}

/** Builds the HTTP application. Throws for a route without permissions or `public`. */
export async function buildApp(
  given: Omit<ServiceContext, 'slots'>,
  log: FastifyBaseLogger,
  onRoute: (route: RouteOptions) => void = () => {},
) {
  const { config, db, links, metrics } = given;
  const context: ServiceContext = { ...given, slots: createSlots(config.heavyRequestsPerKey) };
  const addressOf = createAddressReader(config.trustProxy);
  const authenticator = createAuthenticator({
    db,
    environment: config.environment,
    listen: context.listen,
    onError: (error) => log.warn({ err: error }, 'last use of a key could not be recorded'),
  });
  const senderOf = (request: IncomingMessage) =>
    authenticator.findCompany(request.headers.authorization) ?? networkOf(addressOf(request) ?? '');
  const app = createApp(context, log, senderOf);
  acceptEveryMethod(app);
  // Types define the responses, and the tests check each response against its schema, so the serializer need not remove
  // anything.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setValidatorCompiler(compileValidator);
  app.setErrorHandler(createErrorHandler(links));
  app.setNotFoundHandler(async (request, reply) => {
    const page = pages.serve(request, reply);
    if (page !== undefined) return page;
    throw noSuchPath(request);
  });
  readJsonBodies(app);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('user', undefined);
  app.decorateRequest('lockRoles', undefined);
  app.decorateRequest('portalSession', undefined);
  app.decorateRequest('employee', undefined);
  app.decorateRequest('employment', undefined);
  app.decorateRequest('assertEmployee', undefined);
  app.decorateRequest('problem', undefined);
  drainOnClose(app, config.stopDrainMillis);
  // Fastify does not close a server of a factory that never listened. Its timer would remain.
  app.addHook('onClose', async () => void app.server.close());
  const companyIdOf = ({ principal, user, employee }: FastifyRequest) => (principal ?? user ?? employee)?.companyId;
  findKnownPaths(app, { maxParamLength: maxHeadBytes });
  if (context.tracing !== undefined) traceRequests(app, context.tracing, companyIdOf);
  checkHeads(app);
  const requestLog = openRequestLog(app, context, log);
  recordResponses(app, metrics, requestLog.add);
  await refuseWhenDelayed(app, context);
  for (const schema of sharedSchemas) app.addSchema(schema);
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
    onRoute(route);
  });
  app.addHook('onClose', () => authenticator.stop());
  const counter = createCounter(db, log);
  app.addHook('onClose', async () => counter.stop());
  const limiter = createRateLimiter(config.rateLimits, counter);
  const keyedHash = createKeyedHash(context.sessionSecret);
  app.addHook('onRequest', createGuard({ ...authenticator, environment: config.environment, limiter, keyedHash }));
  app.addHook('onRequest', refuseOtherMethods);
  await registerOpenapi(app, config, describeWebhooks());
  await app.register(
    async (api) => {
      readParameters(api);
      keepPages(api, {
        maxBytes: config.pageCacheBytes,
        versions: createVersionReader(db),
        callerOf: principalOf,
        dayIn: (timeZone) => todayTextIn(context.clock, timeZone),
        edition: `${readVersion()} ${config.publicUrl}`,
        onAnswer: metrics.recordPage,
      });
      for (const slice of slices) slice(api.withTypeProvider<TypeBoxTypeProvider>(), context);
    },
    { prefix: '/v1' },
  );
  if (config.mcp) registerMcp(app, context);
  await registerPortal(app, context, { counter, limiter });
  await registerMy(app, context, { counter, limiter });
  await registerScim(app, context, { limiter });
  await registerUnsubscribe(app, context);
  await registerDocs(app);
  const pages = await registerPages(app, context.pages);
  for (const route of routes) assertRouteIsGuarded(route);
  await app.ready();
  return app;
}
