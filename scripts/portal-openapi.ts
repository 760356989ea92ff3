import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import Fastify, { type FastifySchema, type RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import {
  NewPasskeyOptionsSchema,
  PasskeyOptionsSchema,
  PasskeySchema,
  PasskeysSchema,
} from '../src/features/accounts/passkey-schema.ts';
import { AccessSettingsSchema } from '../src/features/accounts/portal-access-settings.ts';
import { MembershipsSchema } from '../src/features/accounts/portal-membership.ts';
import {
  NewSecondFactorSchema,
  RecoveryCodesSchema,
  SecondFactorSchema,
} from '../src/features/accounts/portal-second-factor.ts';
import { SessionSchema } from '../src/features/accounts/portal-session.ts';
import { SsoDomainSchema, SsoSchema } from '../src/features/accounts/sso/contract.ts';
import {
  InvitationSchema,
  NewInvitationSchema,
  OpenInvitationSchema,
  ResetLinkSchema,
  UserKeySchema,
  UserSchema,
  UsersSchema,
  UserWebhookSchema,
} from '../src/features/accounts/users/contract.ts';
import { ActivityEntrySchema } from '../src/features/activity/portal.ts';
import { BillingPeriodSchema, ExplainedItemSchema } from '../src/features/billing/contract.ts';
import { CompanySettingsSchema } from '../src/features/companies/portal.ts';
import { HrIntegrationSchema } from '../src/features/connectors/contract.ts';
import {
  RosterLineSchema,
  RosterPreviewSchema,
  RosterTableSchema,
  RosterUploadSchema,
} from '../src/features/connectors/portal-schema.ts';
import {
  ConnectionCheckSchema,
  ConnectionSchema,
  MappingSchema,
  PullSchema,
} from '../src/features/connectors/pull/contract.ts';
import {
  ContractBatchSchema,
  ContractsPreviewSchema,
  SigningLinksSchema,
  SigningOfferSchema,
} from '../src/features/contracts/contract.ts';
import { TimeTravelSchema } from '../src/features/daily-run/portal.ts';
import { EmployeeDocumentSchema, ListedDocumentSchema } from '../src/features/documents/contract.ts';
import { EmployeeSchema } from '../src/features/employees/contract.ts';
import {
  DecisionPreviewSchema,
  EmployeeDetailsSchema,
  SubscriptionChangeSchema,
} from '../src/features/employees/portal-schema.ts';
import { LoggedEventSchema } from '../src/features/events/portal.ts';
import { InvoiceSchema, InvoicesSchema } from '../src/features/invoices/contract.ts';
import { ApiKeySchema, KeyDetailsSchema, NewSecretSchema } from '../src/features/keys/contract.ts';
import { NoticeSettingsSchema } from '../src/features/notices/portal.ts';
import { PayrollExportSchema, PayrollPreviewSchema } from '../src/features/payroll/contract.ts';
import { ApiRequestSchema } from '../src/features/requests/contract.ts';
import { SyncWarningSchema } from '../src/features/roster/contract.ts';
import { ExplainedRecordSchema } from '../src/features/roster/explained-record.ts';
import { ExplainedSyncSchema } from '../src/features/roster/explained-sync.ts';
import { RosterSchema } from '../src/features/roster/roster-schema.ts';
import {
  DeliveryDetailsSchema,
  NewWebhookSecretSchema,
  WebhookDeliverySchema,
  WebhookSchema,
} from '../src/features/webhooks/contract.ts';
import { buildOfflineApp } from '../src/operator/offline-app.ts';
import { readConfig } from '../src/platform/config/config.ts';
import { type ProblemCode, problems } from '../src/platform/http/errors.ts';
import { MessageSchema } from '../src/platform/http/message-schema.ts';
import { PortalProblemSchema } from '../src/platform/http/portal/schemas.ts';
import { LinkSchema, MoneySchema, Reference } from '../src/platform/http/schemas.ts';
import { FoundSchema } from '../src/portal/find.ts';
import { MeSchema } from '../src/portal/me.ts';
import { OverviewSchema } from '../src/portal/overview/schema.ts';
import { portalPrefix } from '../src/portal/routes.ts';
import { SavedViewSchema } from '../src/portal/views.ts';
import { nameEnums } from './portal-enums.ts';

const components = [
  LinkSchema,
  MoneySchema,
  MessageSchema,
  PortalProblemSchema,
  EmployeeSchema,
  EmployeeDocumentSchema,
  ListedDocumentSchema,
  ExplainedItemSchema,
  InvoiceSchema,
  InvoicesSchema,
  HrIntegrationSchema,
  RosterSchema,
  ExplainedSyncSchema,
  ExplainedRecordSchema,
  SyncWarningSchema,
  MeSchema,
  NoticeSettingsSchema,
  SavedViewSchema,
  AccessSettingsSchema,
  SecondFactorSchema,
  NewSecondFactorSchema,
  RecoveryCodesSchema,
  PasskeySchema,
  PasskeysSchema,
  PasskeyOptionsSchema,
  NewPasskeyOptionsSchema,
  SessionSchema,
  OverviewSchema,
  ApiKeySchema,
  KeyDetailsSchema,
  ApiRequestSchema,
  NewSecretSchema,
  RosterPreviewSchema,
  MappingSchema,
  PullSchema,
  ConnectionSchema,
  ConnectionCheckSchema,
  RosterTableSchema,
  RosterLineSchema,
  RosterUploadSchema,
  EmployeeDetailsSchema,
  FoundSchema,
  SubscriptionChangeSchema,
  DecisionPreviewSchema,
  ContractBatchSchema,
  ContractsPreviewSchema,
  SigningLinksSchema,
  SigningOfferSchema,
  BillingPeriodSchema,
  PayrollExportSchema,
  PayrollPreviewSchema,
  ActivityEntrySchema,
  LoggedEventSchema,
  WebhookSchema,
  NewWebhookSecretSchema,
  WebhookDeliverySchema,
  DeliveryDetailsSchema,
  MembershipsSchema,
  SsoDomainSchema,
  SsoSchema,
  UserSchema,
  UsersSchema,
  OpenInvitationSchema,
  NewInvitationSchema,
  UserKeySchema,
  ResetLinkSchema,
  UserWebhookSchema,
  InvitationSchema,
  CompanySettingsSchema,
  TimeTravelSchema,
];

interface PortalSchema extends FastifySchema {
  response: Record<string, TSchema & { type?: string; content?: object }>;
  'x-problems': readonly ProblemCode[];
  'x-upload'?: object;
}

/** Returns the problems of an operation: its own, and those that every operation of its kind can return. */
function listProblems({ method, config }: RouteOptions, schema: PortalSchema): ProblemCode[] {
  const ability = config?.portal;
  return [
    'invalid-parameters',
    ...(schema.body ? (['invalid-body', 'malformed-body', 'body-too-large', 'unsupported-media-type'] as const) : []),
    ...(ability === undefined ? [] : (['not-signed-in'] as const)),
    ...(ability === undefined || ability === 'read' ? [] : (['missing-role'] as const)),
    ...(ability === undefined ? [] : (['second-factor-missing'] as const)),
    ...(method === 'GET' ? [] : (['cross-site-request'] as const)),
    ...schema['x-problems'],
    'rate-limited',
    'internal-error',
    'unavailable',
  ];
}

function describeProblems(codes: ProblemCode[]) {
  const byStatus = Map.groupBy(new Set(codes), (code) => String(problems[code].status));
  const content = { 'application/problem+json': { schema: Reference(PortalProblemSchema) } };
  return [...byStatus].map(([status, group]) => [
    status,
    { description: `Problem ${group.map((code) => `\`${code}\``).join(', ')}.`, content },
  ]);
}

function describeSuccess([status, schema]: [string, PortalSchema['response'][string]]) {
  const description = STATUS_CODES[status];
  if (schema.type === 'null') return [status, { description, type: 'null' }];
  const content = schema.content ?? { 'application/json': { schema } };
  return [status, { description, content }];
}

/** Replaces formats that only the service knows by standard ones, or removes them. */
const withStandardFormats = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key !== 'format' || value !== 'single-line-text' ? (value === 'first-of-month' ? 'date' : value) : undefined,
  );

/** Returns the tag of an address: its first segment. */
const tagOf = (url: string) => url.split('/')[1] ?? '';

function describeRoute(route: RouteOptions): FastifySchema {
  const { hide: _, 'x-problems': __, 'x-upload': upload, ...schema } = route.schema as PortalSchema;
  return {
    ...schema,
    ...(schema.body ? { body: withStandardFormats(schema.body) } : {}),
    ...(schema.params ? { params: withStandardFormats(schema.params) } : {}),
    // Parameters with a default may be omitted.
    ...(schema.querystring ? { querystring: { ...schema.querystring, required: [] } } : {}),
    ...(upload ? { body: { content: upload } } : {}),
    tags: [tagOf(route.url.slice(portalPrefix.length))],
    security: route.config?.portal === undefined ? [] : [{ session: [] }],
    response: {
      ...Object.fromEntries(Object.entries(schema.response).map(describeSuccess)),
      ...Object.fromEntries(describeProblems(listProblems(route, route.schema as PortalSchema))),
    },
  };
}

/** Returns the routes of the portal's own API, as the application registers them. */
export async function listPortalRoutes(): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = [];
  const app = await buildOfflineApp(readConfig({}), (route) => {
    const isOperation = route.schema !== undefined && 'operationId' in route.schema;
    if (isOperation && route.url.startsWith(portalPrefix) && route.method !== 'HEAD') routes.push(route);
  });
  await app.close();
  return routes;
}

/**
 * Returns the OpenAPI document of the portal's own API. The service does not publish it: it describes what our own
 * pages use and changes with them. The types and functions of the pages are generated from it.
 */
export async function describePortal(): Promise<object> {
  const routes = await listPortalRoutes();
  const app = Fastify();
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  for (const schema of components) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Portal API',
        version: '1.0.0',
        description: 'The API that only the pages of the portal use. It changes without notice.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: portalPrefix }],
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'transit.session_token' } },
      },
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  });
  for (const route of routes) {
    const url = route.url.slice(portalPrefix.length);
    app.route({ method: route.method, url, schema: describeRoute(route), handler: async () => undefined });
  }
  await app.ready();
  return nameEnums(app.swagger());
}
