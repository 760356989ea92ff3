import type { Db } from '../../platform/db/database.ts';
import { maxResults } from './discovery.ts';
import { compileFilter, findSortValue } from './filter-sql.ts';
import {
  createGroup,
  deleteGroup,
  type GroupRow,
  getGroup,
  listGroups,
  listGroupsOf,
  patchGroup,
  presentGroups,
  replaceGroup,
} from './groups.ts';
import { parseFilter } from './rules/filter.ts';
import { findPlace, groupShape, type Json, messages, readName, type Shape, userShape } from './rules/names.ts';
import { type Projection, project, readNames } from './rules/project.ts';
import { presentDetails } from './rules/user.ts';
import { badRequest } from './scim-error.ts';
import { type ListRequest, listUsers, type UserRow } from './store.ts';
import type { ScimCaller } from './tokens.ts';
import {
  createUser,
  deleteUser,
  getUser,
  type IfMatch,
  noResource,
  patchUser,
  replaceUser,
  type ScimContext,
  versionOf,
} from './users.ts';

/** A row of any kind, as far as responses need it. */
interface Row {
  id: number;
  version: number;
  createdAt: string;
  updatedAt: string;
}

type Reading = Pick<ScimContext, 'db' | 'caller'>;

/** The operations on one kind of resource. */
interface Resources<R extends Row> {
  kind: 'User' | 'Group';
  path: 'Users' | 'Groups';
  shape: Shape;
  get(context: Reading, id: number): Promise<R>;
  list(db: Db, caller: ScimCaller, request: ListRequest): Promise<{ total: number; rows: R[] }>;
  create(context: ScimContext, body: unknown): Promise<R>;
  replace(context: ScimContext, of: { id: number; ifMatch: IfMatch }, body: unknown): Promise<R>;
  patch(context: ScimContext, of: { id: number; ifMatch: IfMatch }, body: unknown): Promise<R>;
  remove(context: ScimContext, of: { id: number; ifMatch: IfMatch }): Promise<void>;
  /** Presents rows, without id and meta. */
  present(context: Reading & { base: string }, rows: R[], projection: Projection): Promise<Json[]>;
}

const users: Resources<UserRow> = {
  kind: 'User',
  path: 'Users',
  shape: userShape,
  get: getUser,
  list: listUsers,
  create: createUser,
  replace: replaceUser,
  patch: patchUser,
  remove: deleteUser,
  async present(context, rows, { attributes, excludedAttributes }) {
    const isNamed = (name: string) => /(^|:)groups($|\.)/i.test(name);
    const needsGroups = attributes.length > 0 ? attributes.some(isNamed) : !excludedAttributes.some(isNamed);
    const groups = needsGroups
      ? await listGroupsOf(
          context,
          rows.map(({ id }) => id),
        )
      : new Map();
    return rows.map((row) => ({
      ...presentDetails(row),
      ...(groups.has(row.id) ? { groups: groups.get(row.id) } : {}),
    }));
  },
};

const groups: Resources<GroupRow> = {
  kind: 'Group',
  path: 'Groups',
  shape: groupShape,
  get: getGroup,
  list: listGroups,
  create: createGroup,
  replace: replaceGroup,
  patch: patchGroup,
  remove: deleteGroup,
  // Entra ID asks for groups without their members.
  present: (context, rows, { excludedAttributes }) =>
    presentGroups(context, rows, !excludedAttributes.some((name) => /(^|:)members$/i.test(name))),
};

// biome-ignore lint/suspicious/noExplicitAny: each kind has rows of its own, which only its own functions receive.
export const kinds: Resources<any>[] = [users, groups];

const toTime = (timestamp: string) => Temporal.Instant.from(timestamp).round('millisecond').toString();

export interface Exchange {
  context: ScimContext;
  /** The address of the protocol, under which resources are. */
  base: string;
  query: URLSearchParams;
  body: unknown;
  ifMatch: IfMatch;
  ifNoneMatch?: string | undefined;
}

export interface Outcome {
  status: number;
  body?: Json;
  location?: string;
  version?: string;
}

/** The ids of the service are numbers. Anything else is the id of nothing. */
function readId(text: string, kind: 'User' | 'Group'): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw noResource(kind);
  return Number(text);
}

const projectionOf = (query: URLSearchParams): Projection => ({
  attributes: readNames(query.get('attributes') ?? undefined),
  excludedAttributes: readNames(query.get('excludedAttributes') ?? undefined),
});

async function presentRows<R extends Row>(
  { kind, path, shape, present }: Resources<R>,
  { context, base }: Pick<Exchange, 'context' | 'base'>,
  rows: R[],
  projection: Projection,
): Promise<Json[]> {
  const details = await present({ ...context, base }, rows, projection);
  return rows.map((row, index) => {
    const { schemas, ...attributes } = details[index] as Json;
    const meta = {
      resourceType: kind,
      created: toTime(row.createdAt),
      lastModified: toTime(row.updatedAt),
      location: `${base}/${path}/${row.id}`,
      version: versionOf(row),
    };
    return project({ schemas, id: String(row.id), ...attributes, meta }, projection, shape);
  });
}

async function respond<R extends Row>(resources: Resources<R>, exchange: Exchange, row: R, status = 200) {
  const [body] = await presentRows(resources, exchange, [row], projectionOf(exchange.query));
  const location = `${exchange.base}/${resources.path}/${row.id}`;
  return { status, location, version: versionOf(row), ...(body ? { body } : {}) };
}

/** Executes one operation on a resource, of a request or of a bulk request. */
export async function operate(
  method: string,
  resources: (typeof kinds)[number],
  id: string | undefined,
  exchange: Exchange,
): Promise<Outcome> {
  const { context, body, ifMatch } = exchange;
  if (id === undefined) return respond(resources, exchange, await resources.create(context, body), 201);
  const of = { id: readId(id, resources.kind), ifMatch };
  if (method === 'DELETE') {
    await resources.remove(context, of);
    return { status: 204 };
  }
  if (method === 'GET') {
    const row = await resources.get(context, of.id);
    if (exchange.ifNoneMatch?.split(',').some((tag) => tag.trim() === versionOf(row) || tag.trim() === '*')) {
      return { status: 304, version: versionOf(row) };
    }
    return respond(resources, exchange, row);
  }
  const change = method === 'PUT' ? resources.replace : resources.patch;
  return respond(resources, exchange, await change(context, of, body));
}

export interface Search {
  filter: string | undefined;
  sortBy: string | undefined;
  sortOrder: string | undefined;
  startIndex: number;
  count: number;
  projection: Projection;
}

function readInteger(value: unknown, name: string, fallback: number): number {
  if (value === undefined || value === null || value === '') return fallback;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw badRequest('invalidValue', `\`${name}\` must be an integer.`);
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

/** Reads what a list request says, from its query or from the body of a search (RFC 7644, 3.4.3). */
function readSearch(read: (name: string) => unknown): Search {
  return {
    filter: textOf(read('filter')),
    sortBy: textOf(read('sortBy')),
    sortOrder: textOf(read('sortOrder')),
    startIndex: Math.max(1, readInteger(read('startIndex'), 'startIndex', 1)),
    count: Math.min(maxResults, Math.max(0, readInteger(read('count'), 'count', 100))),
    projection: {
      attributes: readNames(read('attributes')),
      excludedAttributes: readNames(read('excludedAttributes')),
    },
  };
}

export const searchOfQuery = (query: URLSearchParams) => readSearch((name) => query.get(name) ?? undefined);
export const searchOfBody = (body: Json) => readSearch((name) => readName(body, name));

function readSort({ sortBy, sortOrder }: Search, shape: Shape): Pick<ListRequest, 'sortValue' | 'isDescending'> {
  const isDescending = sortOrder?.toLowerCase() === 'descending';
  if (sortBy === undefined) return { sortValue: undefined, isDescending };
  const place = findPlace(sortBy, shape);
  const sortValue = place && 'attribute' in place ? findSortValue(place, shape.core) : undefined;
  if (sortValue === undefined) throw badRequest('invalidValue', `\`sortBy\` names nothing that can be sorted by.`);
  return { sortValue, isDescending };
}

/** Lists resources of some kinds. A search of both kinds lists users first. */
export async function list(
  some: readonly (typeof kinds)[number][],
  exchange: Pick<Exchange, 'context' | 'base'>,
  search: Search,
): Promise<Json> {
  const { db, caller } = exchange.context;
  const { filter, startIndex, count, projection } = search;
  const found: Json[] = [];
  let totalResults = 0;
  for (const resources of some) {
    const { shape } = resources;
    const condition = filter === undefined ? undefined : compileFilter(parseFilter(filter, shape), shape.core);
    const offset = Math.max(0, startIndex - 1 - totalResults);
    const limit = count - found.length;
    const page = await resources.list(db, caller, { condition, ...readSort(search, shape), offset, limit });
    totalResults += page.total;
    found.push(...(await presentRows(resources, exchange, page.rows, projection)));
  }
  return presentList(found, { totalResults, startIndex });
}

export const presentList = (resources: Json[], { totalResults = resources.length, startIndex = 1 } = {}): Json => ({
  schemas: [messages.list],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
