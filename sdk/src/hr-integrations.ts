import { SyncFailedError, TransitBenefitsError } from './errors.ts';
import type { HttpClient } from './http.ts';
import { type CallOptions, List } from './list.ts';
import { sleep } from './sleep.ts';
import { createSyncId } from './sync-id.ts';
import type {
  HrIntegration,
  ListHrIntegrationsQuery,
  ListSyncRecordsQuery,
  Roster,
  Sync,
  SyncPreview,
  SyncRecord,
} from './types.gen.ts';

/** One employee of a roster. A field left out keeps what is known, and null clears it. */
export type RosterEntry = Roster['employees'][number];

/** The employees of a company, all of them: those who are missing are offboarded. */
export type RosterInput = readonly RosterEntry[] | { syncId?: string | undefined; employees: readonly RosterEntry[] };

export interface SyncProgress {
  syncId: string;
  /** `sending` until the service has stored the roster. */
  state: 'sending' | Sync['state'];
  entries: number;
}

export interface SyncOptions extends CallOptions {
  /** Only returns what the sync would do. */
  dryRun?: boolean | undefined;
  /** Waits for the outcome. Requires the permission `view-hr-integrations`. */
  wait?: boolean | undefined;
  /** How long to wait. Default: until the sync has its outcome. */
  timeoutMs?: number | undefined;
  /** Called whenever the state changes. */
  onProgress?: ((progress: SyncProgress) => void) | undefined;
}

const isFinished = ({ state }: Sync) => state !== 'accepted' && state !== 'processing';
const mostFailedRecords = 1000;
const longestPause = 2000;

export class HrIntegrations {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  list({
    signal,
    ...query
  }: Omit<ListHrIntegrationsQuery, 'page' | 'perPage'> & CallOptions = {}): List<HrIntegration> {
    return new List(this.#http, '/hr-integrations', query, { signal });
  }

  async get(id: number, { signal }: CallOptions = {}): Promise<HrIntegration> {
    return (await this.#http.json<{ data: HrIntegration }>('GET', `/hr-integrations/${id}`, { signal })).data;
  }

  /** The syncs of an integration, the newest first. */
  syncs(id: number, { signal }: CallOptions = {}): List<Sync> {
    return new List(this.#http, `/hr-integrations/${id}/syncs`, {}, { signal });
  }

  async getSync(id: number, syncId: string, { signal }: CallOptions = {}): Promise<Sync> {
    const path = `/hr-integrations/${id}/syncs/${encodeURIComponent(syncId)}`;
    return (await this.#http.json<{ data: Sync }>('GET', path, { signal })).data;
  }

  /** What a sync did to each employee. Employees who did not change have no record. */
  syncRecords(
    id: number,
    syncId: string,
    { signal, ...query }: Omit<ListSyncRecordsQuery, 'page' | 'perPage'> & CallOptions = {},
  ): List<SyncRecord> {
    return new List(this.#http, `/hr-integrations/${id}/syncs/${encodeURIComponent(syncId)}/records`, query, {
      signal,
    });
  }

  /** Returns what the sync would do, and changes nothing. */
  sync(id: number, roster: RosterInput, options: SyncOptions & { dryRun: true }): Promise<SyncPreview>;
  /**
   * Sends the roster and waits for the outcome. Throws `SyncFailedError` if the sync or any of its records failed.
   * Removals that wait for approval are no failure: `heldRemovals` is `pending` then.
   */
  sync(
    id: number,
    roster: RosterInput,
    options: SyncOptions & { wait: true; dryRun?: false | undefined },
  ): Promise<Sync>;
  /** Sends the roster. The service has stored it when this returns, and applies it in the background. */
  sync(
    id: number,
    roster: RosterInput,
    options?: SyncOptions & { wait?: false | undefined; dryRun?: false | undefined },
  ): Promise<{ syncId: string }>;
  async sync(
    id: number,
    roster: RosterInput,
    options: SyncOptions = {},
  ): Promise<SyncPreview | Sync | { syncId: string }> {
    const { dryRun, wait, signal, onProgress } = options;
    const { employees, syncId: given } = 'employees' in roster ? roster : { employees: roster, syncId: undefined };
    const findNewest = async () => (await this.syncs(id, { signal }).page(1, 1)).data[0]?.syncId;
    const syncId = given ?? (dryRun ? 'dry-run' : await createSyncId(employees, findNewest));
    const path = `/hr-integrations/${id}/sync`;
    // Repeating is safe: the service runs the same `syncId` with the same content once.
    const request = { body: { syncId, employees }, signal, isIdempotent: true };
    onProgress?.({ syncId, state: 'sending', entries: employees.length });
    if (dryRun) {
      const query = { dryRun: true };
      return (await this.#http.json<{ data: SyncPreview }>('POST', path, { ...request, query })).data;
    }
    await this.#http.json('POST', path, request);
    return wait ? this.#waitFor(id, syncId, options) : { syncId };
  }

  async #waitFor(id: number, syncId: string, { signal, timeoutMs, onProgress }: SyncOptions): Promise<Sync> {
    const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
    let reported: string | undefined;
    for (let pause = 100; ; pause = Math.min(longestPause, pause * 1.5)) {
      const sync = await this.getSync(id, syncId, { signal });
      if (sync.state !== reported) onProgress?.({ syncId, state: sync.state, entries: sync.entries });
      reported = sync.state;
      if (isFinished(sync)) return this.#assertSucceeded(id, sync, signal);
      if (performance.now() + pause > deadline) {
        throw new TransitBenefitsError(`Sync ${syncId} has no outcome after ${timeoutMs} ms. It continues.`);
      }
      await sleep(pause, signal);
    }
  }

  async #assertSucceeded(id: number, sync: Sync, signal: AbortSignal | undefined): Promise<Sync> {
    if (sync.state === 'succeeded' || (sync.state === 'partially-failed' && sync.counts.failed === 0)) return sync;
    const failed = sync.counts.failed === 0 ? [] : this.syncRecords(id, sync.syncId, { outcome: 'failed', signal });
    throw new SyncFailedError(sync, Array.isArray(failed) ? failed : await failed.toArray(mostFailedRecords));
  }
}
