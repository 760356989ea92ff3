import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../db/unavailable.ts';
import { escapePointer } from '../domain/json-pointer.ts';
import { ApiError, maxListedErrors, type ProblemCode, problems, type RequestError, unavailable } from '../errors.ts';
import type { Links } from './links.ts';

export const problemMediaType = 'application/problem+json';

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  requestId: string;
  errors?: RequestError[];
  errorCount?: number;
  missingPermissions?: string[];
}

export function presentProblem(error: ApiError, links: Links, requestId: string): Problem {
  const { status, title } = problems[error.code];
  return {
    type: links.problemType(error.code),
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...error.extra,
  };
}

export function sendProblem(reply: FastifyReply, error: ApiError, links: Links): FastifyReply {
  const body = presentProblem(error, links, reply.request.id);
  return reply
    .code(body.status)
    .headers({ 'x-request-id': reply.request.id, 'cache-control': 'no-store', ...error.headers })
    .type(problemMediaType)
    .serializer(JSON.stringify)
    .send(body);
}

export type Violation = NonNullable<FastifyError['validation']>[number];

const formats: Record<string, string> = {
  'first-of-month': 'must be the first day of a month, such as 2026-11-01',
  email: 'must be an email address',
  'single-line-text':
    'must be one line of visible text, without control characters, characters that change its direction, or U+FFFD',
};

function describeViolation({ keyword, params, message }: Violation): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues as string[]).join(', ')}`;
    case 'type':
      return params.type === 'boolean'
        ? 'must be `true` or `false`'
        : `must be of type ${[params.type].flat().join(' or ')}`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'format':
      return formats[params.format as string] ?? `must be a ${params.format}`;
    case 'pattern':
      return (params.description as string | undefined) ?? `must match the pattern ${params.pattern}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'is not a known property';
    default:
      return message ?? 'is invalid';
  }
}

/**
 * Returns the name of a parameter. The validator points into an object of all parameters, so the first segment is the
 * name.
 */
const parameterOf = ({ instancePath, params }: Violation): string =>
  instancePath.split('/')[1] ?? String(params.missingProperty ?? '');

/** Returns one error per distinct violation: several items of an array that fail in the same way are one error. */
export function violationErrors(violations: Violation[]): RequestError[] {
  const errors = violations.map((violation) => ({
    parameter: parameterOf(violation),
    code: violation.keyword,
    detail: describeViolation(violation),
  }));
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
    violations.slice(0, maxListedErrors).map((violation) => ({
      pointer: pointerOf(violation),
      code: violation.keyword,
      detail: describeViolation(violation),
    })),
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
