import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { escapePointer } from '../../domain/json-pointer.ts';
import { createMessage, type Message } from '../../domain/messages/message.ts';
import type { RefusalCode } from '../../domain/subscription/refusals.ts';
import { isClockError } from '../clock/clock.ts';
import { isDatabaseUnavailable, isDiskFull } from '../db/unavailable.ts';
import type { Annotations } from './annotations.ts';
import {
  ApiError,
  describeError,
  maxListedErrors,
  type ProblemCode,
  problems,
  type RequestError,
  unavailable,
} from './errors.ts';
import type { Links } from './links.ts';

declare module 'fastify' {
  interface FastifyRequest {
    problem: ProblemCode | undefined;
  }
}

export const problemMediaType = 'application/problem+json';

declare module 'fastify' {
  interface FastifyContextConfig {
    sendsMessages?: boolean;
  }
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  requestId: string;
  message?: Message;
  errors?: (Omit<RequestError, 'message'> & { message?: Message })[];
  errorCount?: number;
  missingPermissions?: string[];
  reason?: RefusalCode;
  earliestFrom?: string | null;
}

export function presentProblem(error: ApiError, links: Links, requestId: string, sendsMessages = false): Problem {
  const { status, title } = problems[error.code];
  const { errors, ...extra } = error.extra;
  return {
    type: links.problemType(error.code),
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(sendsMessages && error.explanation ? { message: error.explanation } : {}),
    ...(errors ? { errors: sendsMessages ? errors : errors.map(({ message: _, ...rest }) => rest) } : {}),
    ...extra,
  };
}

export function sendProblem(reply: FastifyReply, error: ApiError, links: Links): FastifyReply {
  const body = presentProblem(error, links, reply.request.id, reply.request.routeOptions.config?.sendsMessages);
  reply.request.problem = error.code;
  return reply
    .code(body.status)
    .headers({ 'x-request-id': reply.request.id, 'cache-control': 'no-store', ...error.headers })
    .type(problemMediaType)
    .serializer(JSON.stringify)
    .send(body);
}

export type Violation = NonNullable<FastifyError['validation']>[number];

const formats: Record<string, Message> = {
  'first-of-month': createMessage('value-first-of-month'),
  email: createMessage('value-email'),
  'single-line-text': createMessage('value-single-line'),
};

function describeType(type: unknown): Message {
  if (type === 'boolean') return createMessage('value-true-or-false');
  return createMessage('value-type', { type: [type].flat().join(' or ') });
}

function describeViolation({ keyword, params }: Violation): Message {
  const limit = Number(params.limit);
  switch (keyword) {
    case 'enum':
      return createMessage('value-one-of', { values: (params.allowedValues as string[]).join(', ') });
    case 'type':
      return describeType(params.type);
    case 'minimum':
      return createMessage('value-at-least', { limit });
    case 'maximum':
      return createMessage('value-at-most', { limit });
    case 'format':
      return formats[params.format as string] ?? createMessage('value-format', { format: String(params.format) });
    case 'pattern':
      return params.description === undefined
        ? createMessage('value-pattern', { pattern: String(params.pattern) })
        : createMessage(params.description as NonNullable<Annotations['patternDescription']>);
    case 'minLength':
      return limit === 1 ? createMessage('value-empty') : createMessage('value-too-short', { limit });
    case 'maxLength':
      return createMessage('value-too-long', { limit });
    case 'minItems':
      return createMessage('value-too-few-items', { limit });
    case 'maxItems':
      return createMessage('value-too-many-items', { limit });
    case 'uniqueItems':
      return createMessage('value-repeated-items');
    case 'required':
      return createMessage('value-missing');
    case 'additionalProperties':
      return createMessage('value-unknown-property');
    default:
      return createMessage('value-invalid');
  }
}

/** Returns the name of a parameter: the first segment of the path, which points into an object of all. */
const parameterOf = ({ instancePath, params }: Violation): string =>
  instancePath.split('/')[1] ?? String(params.missingProperty ?? '');

/** Returns one error per distinct violation: several items of an array that fail in the same way are one error. */
export function violationErrors(violations: Violation[]): RequestError[] {
  const errors = violations.map((violation) =>
    describeError({ parameter: parameterOf(violation) }, violation.keyword, describeViolation(violation)),
  );
  return [...new Map(errors.map((error) => [`${error.parameter} ${error.code} ${error.detail}`, error])).values()];
}

function refuse(
  code: 'invalid-parameters' | 'invalid-body',
  errors: RequestError[],
  count: number = errors.length,
): ApiError {
  const listed = errors.slice(0, maxListedErrors);
  const first = listed
    .slice(0, 3)
    .map((error) => `${'parameter' in error ? error.parameter : error.pointer || 'The body'} ${error.detail}`);
  const more = count > first.length ? ` (and ${count - first.length} more, see \`errors\`)` : '';
  const text = `${first.join('; ')}${more}`;
  return new ApiError(code, text.endsWith('?') ? text : `${text}.`, { errors: listed });
}

export const invalidParameters = (errors: RequestError[]) => refuse('invalid-parameters', errors);

/** Returns a JSON pointer to the error. For a missing or additional property it points to that property itself. */
function pointerOf({ instancePath, params }: Violation): string {
  const name = params.missingProperty ?? params.additionalProperty;
  return name === undefined ? instancePath : `${instancePath}/${escapePointer(String(name))}`;
}

const invalidBody = (violations: Violation[]) =>
  refuse(
    'invalid-body',
    violations
      .slice(0, maxListedErrors)
      .map((violation) =>
        describeError({ pointer: pointerOf(violation) }, violation.keyword, describeViolation(violation)),
      ),
    violations.length,
  );

const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_BAD_URL: 'malformed-request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed-body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-body',
};

export function toApiError(error: FastifyError): ApiError {
  if (error instanceof ApiError) return error;
  if (error.validation && error.validationContext === 'body') return invalidBody(error.validation);
  if (error.validation) return invalidParameters(violationErrors(error.validation));
  if (isClockError(error)) return unavailable('The clock of this server is wrong at the moment.');
  if (isDiskFull(error)) return unavailable('A disk of the service is full.');
  if (isDatabaseUnavailable(error)) return unavailable('The database is unreachable at the moment.');
  const code = frameworkCodes[error.code];
  if (code !== undefined) return new ApiError(code, problems[code].remedy);
  const isRefusal = error.code?.startsWith('FST_') && error.statusCode !== undefined && error.statusCode < 500;
  if (isRefusal) return new ApiError('malformed-request', problems['malformed-request'].remedy);
  return new ApiError(
    'internal-error',
    'An error occurred in the service. It was logged with this requestId: repeat the request, and contact us with the id if it fails again.',
  );
}

export function createErrorHandler(links: Links) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const apiError = toApiError(error);
    const { status } = problems[apiError.code];
    if (status >= 500) request.log.error({ err: error, code: apiError.code }, 'request failed');
    return sendProblem(reply, apiError, links);
  };
}
