import { problems } from '../../platform/http/errors.ts';
import { toApiError } from '../../platform/http/problem.ts';
import { maxBulkOperations } from './discovery.ts';
import { type Exchange, kinds, type Outcome, operate } from './resources.ts';
import { isObject, type Json, messages, readName } from './rules/names.ts';
import { badRequest, presentScimError, ScimError } from './scim-error.ts';

interface BulkOperation {
  method: string;
  path: string;
  bulkId: string | undefined;
  version: string | undefined;
  data: unknown;
}

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'];

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function readOperation(given: unknown): BulkOperation {
  const one = isObject(given) ? given : {};
  return {
    method: textOf(readName(one, 'method'))?.toUpperCase() ?? '',
    path: textOf(readName(one, 'path')) ?? '',
    bulkId: textOf(readName(one, 'bulkId')),
    version: textOf(readName(one, 'version')),
    data: readName(one, 'data'),
  };
}

/** Replaces `bulkId:…` by the ids of resources that this request has created before (RFC 7644, 3.7.2). */
function resolveIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith('bulkId:')) return value;
    const id = ids.get(value.slice('bulkId:'.length));
    if (id === undefined) throw new ScimError(409, 'A `bulkId` names nothing that an earlier operation has created.');
    return id;
  }
  if (Array.isArray(value)) return value.map((one) => resolveIds(one, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolveIds(one, ids)]));
}

function execute(operation: BulkOperation, ids: ReadonlyMap<string, string>, exchange: Exchange): Promise<Outcome> {
  const { method, path, version, data } = operation;
  const [, name, id] = /^\/(Users|Groups)(?:\/([^/?]+))?$/.exec(path) ?? [];
  const resources = kinds.find((kind) => kind.path === name);
  if (!methods.includes(method) || resources === undefined || (method === 'POST') !== (id === undefined)) {
    throw badRequest('invalidPath', `\`${`${method} ${path}`.slice(0, 100)}\` is no operation of a bulk request.`);
  }
  const target = id === undefined ? undefined : String(resolveIds(decodeURIComponent(id), ids));
  return operate(method, resources, target, { ...exchange, body: resolveIds(data, ids), ifMatch: version });
}

function presentFailure(error: unknown): { status: number; response: Json } {
  if (error instanceof ScimError) {
    return { status: error.status, response: presentScimError(error.status, error.message, error.scimType) };
  }
  if (error instanceof URIError) return { status: 400, response: presentScimError(400, 'The path is not valid.') };
  const apiError = toApiError(error as Parameters<typeof toApiError>[0]);
  const { status } = problems[apiError.code];
  return { status, response: presentScimError(status, apiError.message) };
}

/**
 * Executes up to 100 operations one after another, each for itself. `count` counts each against the limit of requests, and
 * throws once that is used up: the rest is answered with 429.
 */
export async function runBulk(exchange: Exchange, count: () => void): Promise<Json> {
  const { body } = exchange;
  const operations = isObject(body) ? readName(body, 'Operations') : undefined;
  if (!Array.isArray(operations)) throw badRequest('invalidSyntax', 'The body has no `Operations`. Send a list.');
  if (operations.length > maxBulkOperations) {
    throw new ScimError(
      413,
      `There are more than ${maxBulkOperations} operations. Send them in several requests.`,
      'tooMany',
    );
  }
  const maxFailures =
    Number(readName(body as Json, 'failOnErrors') ?? Number.POSITIVE_INFINITY) || Number.POSITIVE_INFINITY;
  const ids = new Map<string, string>();
  const results: Json[] = [];
  let failures = 0;
  for (const given of operations) {
    if (failures >= maxFailures) break;
    const operation = readOperation(given);
    const { method, bulkId } = operation;
    const base = { method, ...(bulkId === undefined ? {} : { bulkId }) };
    try {
      count();
      const { status, location, version, body: created } = await execute(operation, ids, exchange);
      if (bulkId !== undefined && created?.id !== undefined) ids.set(bulkId, String(created.id));
      results.push({
        ...base,
        ...(location ? { location } : {}),
        ...(version ? { version } : {}),
        status: String(status),
      });
    } catch (error) {
      const { status, response } = presentFailure(error);
      failures += 1;
      const isNew = method === 'POST';
      const location = isNew ? {} : { location: `${exchange.base}${operation.path}` };
      results.push({ ...base, ...location, status: String(status), response });
    }
  }
  return { schemas: [messages.bulkResponse], Operations: results };
}
