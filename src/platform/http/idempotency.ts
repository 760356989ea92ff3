import { createHash, randomUUID } from 'node:crypto';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { type CompanyId, ofCompany } from '../db/company-scope.ts';
import type { Db, Tx } from '../db/database.ts';
import { ApiError } from './errors.ts';
import type { Links } from './links.ts';
import { presentProblem, problemMediaType, toApiError } from './problem.ts';

/**
 * Requests with the header Idempotency-Key have their effect once, however often they are sent (draft-ietf-httpapi-
 * idempotency-key-header; docs/decisions/0075-idempotency-keys.md). The row of the key is claimed before the work
 * begins. The response is stored in the transaction of the effects, so that neither exists without the other: a process
 * that dies before its commit leaves nothing but a claim, which expires.
 */
const header = 'idempotency-key';

/** How long an attempt holds its key. Longer than any request takes that has not died. */
const holdSeconds = 120;
const keptHours = 24;

export const IdempotencyHeaders = Type.Object({
  [header]: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      patternDescription: 'value-idempotency-key',
      description:
        'Makes repeating this request safe. 1 to 255 visible ASCII characters, such as a UUID, unique per key. For 24 hours, the same request with the same value returns the first response, with `Idempotency-Replayed: true`, and has no further effect.',
      examples: ['0190a2b4-5d7e-7c21-9f0a-6b1d3c5e7f90'],
    }),
  ),
});

export const replayedHeader = {
  'Idempotency-Replayed': {
    type: 'string',
    description: '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`.',
  },
};

/** Whose keys they are: each API key has its own. */
interface Owner {
  companyId: CompanyId;
  keyId: string;
}

interface StoredKey {
  attempt: string;
  requestHash: Buffer;
  isHeld: boolean;
  isExpired: boolean;
  status: number | null;
  body: string | null;
}

interface Claim extends Owner {
  key: string;
  attempt: string;
}

export interface Response {
  status: number;
  body: unknown;
}

/** Stores the response in the transaction of its effects. Throws if another attempt has taken over. */
export type Keep = (tx: Tx | Db, response: Response) => Promise<void>;

const ofKey = ({ companyId, keyId, key }: Omit<Claim, 'attempt'>) =>
  sql<boolean>`${ofCompany(companyId, 'k')} and k.api_key_id = ${keyId} and k.idempotency_key = ${key}`;

async function findKey(db: Db, claim: Claim): Promise<StoredKey | undefined> {
  const { rows } = await sql<StoredKey>`
    select k.attempt, k.request_hash as "requestHash", k.held_until > now() as "isHeld",
      k.created_at < now() - ${sql.lit(`${keptHours} hours`)}::interval as "isExpired", k.status, k.body
    from idempotency_keys k where ${ofKey(claim)}`.execute(db);
  return rows[0];
}

const inProgress = () =>
  new ApiError(
    'request-in-progress',
    'The first request with this Idempotency-Key is still running. Repeat the request in a few seconds.',
    {},
    { 'retry-after': '2' },
  );

const mostTries = 5;

/** Claims a key. Returns the stored response if there is one. */
async function claimKey(db: Db, claim: Claim, requestHash: Buffer): Promise<StoredKey | undefined> {
  for (let tries = 0; tries < mostTries; tries++) {
    const { rows } = await sql<{ attempt: string }>`
      insert into idempotency_keys as k (company_id, api_key_id, idempotency_key, request_hash, attempt, held_until)
      values (${claim.companyId}, ${claim.keyId}, ${claim.key}, ${requestHash}, ${claim.attempt},
        now() + ${sql.lit(`${holdSeconds} seconds`)}::interval)
      on conflict do nothing returning k.attempt`.execute(db);
    if (rows.length > 0) return undefined;
    const known = await findKey(db, claim);
    if (known === undefined) continue;
    if (!known.isExpired && !known.requestHash.equals(requestHash)) {
      throw new ApiError(
        'idempotency-key-reused',
        'This Idempotency-Key was already used for another request. Send this request with a new one.',
      );
    }
    if (!known.isExpired && known.status !== null) return known;
    if (!known.isExpired && known.isHeld) throw inProgress();
    await releaseKey(db, { ...claim, attempt: known.attempt });
  }
  throw inProgress();
}

/** Deletes the claim of an attempt, so that the next request runs. One whose response is stored stays. */
async function releaseKey(db: Db, claim: Claim): Promise<void> {
  await sql`delete from idempotency_keys k where ${ofKey(claim)} and k.attempt = ${claim.attempt}
    and (k.status is null or k.created_at < now() - ${sql.lit(`${keptHours} hours`)}::interval)`.execute(db);
}

async function keepResponse(db: Db, claim: Claim, { status, body }: Response): Promise<void> {
  const { rows } = await sql`
    update idempotency_keys k set status = ${status}, body = ${JSON.stringify(body)}, held_until = null
    where ${ofKey(claim)} and k.attempt = ${claim.attempt} and k.status is null returning k.attempt`.execute(db);
  if (rows.length === 0) throw inProgress();
}

/** Deletes the keys of a company that are not kept any more. */
export async function expireIdempotencyKeys(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`delete from idempotency_keys k
    where ${ofCompany(companyId, 'k')} and k.created_at < now() - ${sql.lit(`${keptHours} hours`)}::interval`.execute(
    tx,
  );
}

/** What is true again later is not stored: too many requests, and what is out of reach. */
const isLasting = (status: number) => status < 500 && status !== 429;

const hashOf = ({ method, url, body }: FastifyRequest) =>
  createHash('sha256')
    .update(JSON.stringify([method, url, body]))
    .digest();

interface Context {
  db: Db;
  links: Links;
  owner: Owner;
}

const send = (reply: FastifyReply, { status, body }: Response) => reply.code(status).send(body);

/** Runs a request once per Idempotency-Key, and sends its response or the stored one. */
export async function runOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, links, owner }: Context,
  run: (keep: Keep) => Promise<Response>,
): Promise<FastifyReply> {
  const key = request.headers[header];
  if (typeof key !== 'string') return send(reply, await run(async () => {}));
  const claim = { ...owner, key, attempt: randomUUID() };
  const stored = await claimKey(db, claim, hashOf(request));
  if (stored?.status) {
    const type = stored.status < 400 ? 'application/json; charset=utf-8' : problemMediaType;
    return reply.code(stored.status).header('idempotency-replayed', 'true').type(type).send(stored.body);
  }
  let isKept = false;
  try {
    const response = await run(async (tx, kept) => {
      await keepResponse(tx, claim, kept);
      isKept = true;
    });
    if (!isKept) await keepResponse(db, claim, response);
    return send(reply, response);
  } catch (error) {
    const problem = presentProblem(toApiError(error as FastifyError), links, request.id);
    const isKnown = isLasting(problem.status) && problem.code !== 'request-in-progress';
    // If the transaction was committed although its client never heard of it, the stored response stays.
    if (isKnown) await keepResponse(db, claim, { status: problem.status, body: problem });
    else await releaseKey(db, claim);
    throw error;
  }
}
