import type { FastifyRequest } from 'fastify';
import type { Db } from '../../platform/db/database.ts';
import { addScimExchange, findPseudonymKey } from '../connectors/cases/cases.ts';
import type { CaseExchange } from '../connectors/cases/contract.ts';
import { createPseudonyms } from '../connectors/cases/pseudonyms.ts';
import { getGroup } from './groups.ts';
import { presentDetails } from './rules/user.ts';
import { ScimError } from './scim-error.ts';
import type { ScimCaller } from './tokens.ts';
import { getUser } from './users.ts';

/** Replacing names takes 3 µs per word, on the event loop. Larger bodies are left out. */
const maxCharacters = 32_768;
const known = new Set(['scim', 'Users', 'Groups', 'Bulk', 'Schemas', 'ResourceTypes', 'ServiceProviderConfig', 'Me']);

interface Answer {
  status: number;
  payload: unknown;
}

const parse = (payload: unknown): unknown =>
  typeof payload === 'string' && payload !== '' ? JSON.parse(payload) : undefined;

type Before = Pick<FastifyRequest, 'method' | 'url'>;

/** Returns the user or group that a request is about, as it was before. A replay begins with it. */
export async function readBefore(db: Db, caller: ScimCaller, { method, url }: Before): Promise<unknown> {
  const [, kind, id] = /\/(Users|Groups)\/(\d{1,15})(?:\?|$)/.exec(url) ?? [];
  if (id === undefined || method === 'GET') return undefined;
  try {
    if (kind === 'Users') return { id, ...presentDetails(await getUser({ db, caller }, Number(id))) };
    const { displayName, externalId } = await getGroup({ db, caller }, Number(id));
    return { id, displayName, ...(externalId === null ? {} : { externalId }) };
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}

/** Adds a request and its response to the case of its integration, with pseudonyms. */
export async function recordExchange(
  db: Db,
  { companyId, caseId }: ScimCaller & { caseId: number },
  { method, url, body, headers }: FastifyRequest,
  { status, payload, before }: Answer & { before: unknown },
): Promise<void> {
  const key = await findPseudonymKey(db, companyId, caseId);
  if (key === undefined) return;
  const pseudonyms = createPseudonyms({ key, known });
  const size = Number(headers['content-length'] ?? 0) + (typeof payload === 'string' ? payload.length : 0);
  const isSmall = size <= maxCharacters && url.length <= maxCharacters;
  const exchange: CaseExchange = {
    method,
    path: isSmall ? pseudonyms.path(url) : '/scim/v2',
    ...(isSmall && body !== undefined && body !== null ? { requestBody: pseudonyms.json(body) } : {}),
    status,
    ...(isSmall ? { body: pseudonyms.json(parse(payload)) } : { text: 'removed' }),
    ...(before === undefined ? {} : { before: pseudonyms.json(before) }),
  };
  await addScimExchange(db, companyId, caseId, exchange);
}
