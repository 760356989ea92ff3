import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { Environment } from '../../domain/enums.ts';
import { stripAnnotations } from './annotations.ts';
import { operation } from './operation.ts';
import { readParameters } from './parameters.ts';

const description = `With this API, companies read the ticket subscriptions, documents, charges and HR integrations of their employees, and push their roster.

**Authentication.** Every operation except the health check, this document and the wallet links requires an API key, sent as HTTP Basic authentication with every request. A key belongs to one environment, staging or production, is refused by the other one, and has a set of permissions. Each operation names the permissions that it requires.

**Responses.** One record is \`{ "data": … }\`. A list is \`{ "data": { "data": […], page, perPage, totalPages, total } }\`. The billing export is \`{ "data": […] }\`. Dates are \`YYYY-MM-DD\`, timestamps are RFC 3339 in UTC, and money is integer cents with a formatted label. Every field is always present; a field without a value is null. Links without a target are omitted.

**Arrays in a query** are repeated keys: \`ids=1&ids=2\`. The service also accepts \`ids[]=1&ids[]=2\`, \`ids[0]=1&ids[1]=2\` and, except for \`emails\`, commas: \`ids=1,2\`. An empty value means "not given", and so does the word \`null\` for integers, enums, dates and arrays. Unknown parameters are refused with 400, because a misspelt filter would otherwise be ignored silently.

**Polling.** Lists and records have a strong \`ETag\`. Send it as \`If-None-Match\`, and you get \`304\` without a body until anything of your company changes or the day ends. A request with it counts against the limits like any other.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`. They list all errors of a request at once. Every response has an \`X-Request-Id\`. [All codes and what to do](/docs/errors).

**Limits.** A key may send 300 requests per minute unless agreed otherwise. The \`RateLimit\` headers show how many remain; there is no penalty beyond the window. A key may have two dry runs and two exports in progress at the same time. Requests beyond a limit get 429 with \`Retry-After\`.`;

/** Reads a guide without its title. The reference contains it verbatim, under a heading of its own. */
const readGuide = (name: string) =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8').replace(/^# .*\n+/, '');
const syncGuide = readGuide('sync-your-roster');
const requestsGuide = readGuide('subscription-requests');
const eventsGuide = readGuide('events');
const webhooksGuide = readGuide('webhooks');

type Schema = { type?: unknown; [key: string]: unknown };

/** Marks all query parameters except booleans as nullable in the document. Handlers see a value or undefined. */
function nullableParameters(querystring: unknown): unknown {
  const { properties = {}, ...rest } = querystring as { properties?: Record<string, Schema> };
  const nullable = Object.entries(properties).map(([name, schema]) => [
    name,
    {
      ...schema,
      ...(schema.type === 'boolean' ? {} : { type: [schema.type, 'null'] }),
      ...(schema.format === 'first-of-month' ? { format: 'date' } : {}),
      ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
    },
  ]);
  return { ...rest, properties: Object.fromEntries(nullable), required: [] };
}

function dateParameters(params: unknown): unknown {
  return JSON.parse(JSON.stringify(params).replaceAll('"first-of-month"', '"date"'));
}

/** The handler validates such a body while it arrives. The framework must not see its schema, but the document must. */
const documentBody = (name: string) => ({ content: { 'application/json': { schema: { $ref: `${name}#` } } } });

interface Environments {
  environment: Environment;
  publicUrl: string;
  otherUrl: string | undefined;
}

function listServers({ environment, publicUrl, otherUrl }: Environments) {
  const [own, other] = environment === 'production' ? ['Production', 'Staging'] : ['Staging', 'Production'];
  return [
    { url: `${publicUrl}/v1`, description: own },
    ...(otherUrl === undefined ? [] : [{ url: `${otherUrl}/v1`, description: other }]),
  ];
}

/** `webhooks` describes the requests that the service sends. */
export async function registerOpenapi(
  app: FastifyInstance,
  environments: Environments,
  webhooks: Record<string, object>,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Employee Transit Ticket Benefits API',
        version: '1.0.0',
        description,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: listServers(environments),
      tags: [
        { name: 'Employees', description: 'Employees and their ticket subscriptions.' },
        { name: 'Subscription requests', description: requestsGuide },
        { name: 'Documents', description: 'Confirmations and agreements as PDF files.' },
        { name: 'Billing', description: 'Charges on the company’s invoices, ready for payroll.' },
        { name: 'HR integrations', description: 'Connections to HR systems and their sync health.' },
        { name: 'Roster sync', description: syncGuide },
        { name: 'Events', description: eventsGuide },
        { name: 'Webhooks', description: webhooksGuide },
        { name: 'Wallet', description: 'Tickets for phone wallets. Ticket holders need no key.' },
        { name: 'Service', description: 'Health check, this document, and the API key in use.' },
      ],
      webhooks,
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'basic', description: 'Username and password of an API key.' },
        },
      },
    },
    transformObject: (document) =>
      stripAnnotations('openapiObject' in document ? document.openapiObject : document.swaggerObject),
    refResolver: { buildLocalReference: (json) => String(json.$id) },
    transform: ({ schema, url }) => {
      if (!schema) return { schema, url };
      const { querystring, params, 'x-body': body, ...rest } = schema as FastifySchema & { 'x-body'?: string };
      const documented: FastifySchema = {
        ...rest,
        ...(querystring ? { querystring: nullableParameters(stripAnnotations(querystring)) } : {}),
        ...(params ? { params: dateParameters(stripAnnotations(params)) } : {}),
        ...(body ? { body: documentBody(body) } : {}),
      };
      // The base URL of the document already contains /v1.
      return { schema: documented, url: url.replace(/^\/v1/, '') };
    },
  });
  await app.register(async (scope) => {
    readParameters(scope);
    scope.get(
      '/v1/openapi.json',
      operation({
        id: 'getOpenapi',
        tag: 'Service',
        summary: 'OpenAPI document',
        description:
          'Returns this description of the API as OpenAPI 3.1. It is public: it requires no key and contains no data of companies. `servers` begins with this environment and names the other one too, if the operator has set its address.',
        responses: {
          200: {
            description: 'The document.',
            content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
          },
        },
      }),
      async () => app.swagger(),
    );
  });
}
