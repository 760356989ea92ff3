import { randomUUID } from 'node:crypto';
import type { CompanyId } from '../../platform/db/company-scope.ts';

/** One request as it is stored in a batch. */
export interface StoredRequest {
  id: string;
  /** In milliseconds since 1970. */
  at: number;
  keyId: string;
  method: string;
  path: string;
  status: number;
  /** How long the response took, in microseconds. */
  us: number;
  problem: string | null;
}

/** One request of a key, with what only its usage needs. */
export interface RequestRow extends StoredRequest {
  companyId: CompanyId;
  /** The address of the client. Null: not known. */
  address: string | null;
}

/** How often a key was used within an hour. */
export interface Usage {
  companyId: CompanyId;
  keyId: string;
  /** The beginning of the hour, in seconds since 1970. */
  hour: number;
  requests: number;
  clientErrors: number;
  serverErrors: number;
  address: string | null;
}

/** A batch never covers more than one minute, so that the requests of a time are in the batches of that time. */
export const batchMillis = 60_000;
const hourSeconds = 3600;

/** Returns a stored request as JSON. Only the path can contain characters with a meaning in JSON. */
const render = ({ id, at, keyId, method, path, status, us, problem }: StoredRequest): string =>
  `{"id":"${id}","at":${at},"keyId":"${keyId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"us":${us},"problem":${problem === null ? 'null' : `"${problem}"`}}`;

const firstBytes = 512;
const comma = 0x2c;

/**
 * Requests of one company and minute that are stored in one row. They wait as JSON in bytes: as objects, thousands of
 * them would be copied by each garbage collection until they are written.
 */
export class RequestBatch {
  readonly companyId: CompanyId;
  readonly id = randomUUID();
  readonly minute: number;
  readonly usage = new Map<string, Usage>();
  count = 0;
  lastAt = 0;
  #bytes = Buffer.allocUnsafe(firstBytes);
  #length = 0;

  constructor(companyId: CompanyId, minute: number) {
    this.companyId = companyId;
    this.minute = minute;
  }

  add(row: RequestRow): void {
    const { at, keyId, status, address } = row;
    this.#append(render(row));
    this.count += 1;
    this.lastAt = Math.max(this.lastAt, at);
    const usage = this.usage.get(keyId) ?? this.#openUsage(keyId);
    usage.requests += 1;
    if (status >= 500) usage.serverErrors += 1;
    else if (status >= 400) usage.clientErrors += 1;
    usage.address = address ?? usage.address;
  }

  /** The JSON of all requests, separated by commas. */
  get json(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #append(text: string): void {
    // Each character takes at most three bytes.
    const needed = this.#length + 3 * text.length + 1;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    if (this.#length > 0) this.#bytes[this.#length++] = comma;
    this.#length += this.#bytes.write(text, this.#length);
  }

  #openUsage(keyId: string): Usage {
    const hour = Math.floor((this.minute * batchMillis) / 1000 / hourSeconds) * hourSeconds;
    const counts = { requests: 0, clientErrors: 0, serverErrors: 0 };
    const usage: Usage = { companyId: this.companyId, keyId, hour, ...counts, address: null };
    this.usage.set(keyId, usage);
    return usage;
  }
}

/** Requests that are written at once. */
export class BatchGroup {
  readonly batches: RequestBatch[] = [];
  count = 0;
  /** The batch to which the last request of a company was added. */
  readonly #latest = new Map<CompanyId, RequestBatch>();

  add(row: RequestRow): void {
    const minute = Math.floor(row.at / batchMillis);
    let batch = this.#latest.get(row.companyId);
    if (batch?.minute !== minute) {
      batch = new RequestBatch(row.companyId, minute);
      this.#latest.set(row.companyId, batch);
      this.batches.push(batch);
    }
    batch.add(row);
    this.count += 1;
  }
}

export function toBatches(rows: readonly RequestRow[]): RequestBatch[] {
  const group = new BatchGroup();
  for (const row of rows.toSorted((a, b) => a.at - b.at)) group.add(row);
  return group.batches;
}

/** Returns how many requests the batches contain. */
export const countRequests = (batches: readonly RequestBatch[]): number =>
  batches.reduce((sum, { count }) => sum + count, 0);
