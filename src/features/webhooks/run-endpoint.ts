import type { Dispatcher } from 'undici';
import type { EndpointDisabledReason } from '../../domain/enums.ts';
import type { Encryption } from '../../platform/crypto/encryption.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Links } from '../../platform/http/links.ts';
import type { DeliverySlots } from '../../platform/http/slot-limits.ts';
import { viewFor } from '../../platform/http/view.ts';
import type { EventRow } from '../events/present.ts';
import type { Notices } from '../notices/notices.ts';
import { type AttemptResult, attemptDelivery, type Sending } from './attempt.ts';
import { type Claimed, claimDeliveries, findTarget, releaseDeliveries } from './claim.ts';
import { abandonDeliveries } from './record.ts';
import { createResultBuffer } from './result-buffer.ts';
import { type EndpointKey, secretNameOf } from './store.ts';

export interface WebhookReport {
  attempted(key: EndpointKey, result: AttemptResult): void;
  disabled(key: EndpointKey, reason: EndpointDisabledReason): void;
}

export interface EndpointDeps {
  db: Db;
  notices: Notices;
  encryption: Encryption;
  links: Links;
  dispatcher: { get(): Dispatcher };
  report: WebhookReport;
  signal: AbortSignal;
  /** Attempts of all endpoints, those that failing ones share, and statements, which would else wait for a connection in vain. */
  slots: DeliverySlots;
}

export interface Health {
  failures: number;
  /** Whether it responds so fast that many deliveries are claimed at once. */
  isFast: boolean;
}

/** Attempts to one endpoint at the same time: of a process, and while the endpoint fails. */
const [lanes, failingLanes] = [16, 2];
const [fastBatch, batch] = [200, 16];
const fastMillis = 500;
/** An endpoint that has failed this often in a row gets few lanes until it succeeds. */
const failingAfter = 3;
/** What was claimed and could not be started within this time is given back, well before the lease ends. */
const startWithinMillis = 30_000;

const isFailing = ({ failures }: Health) => failures >= failingAfter;

/** Claims deliveries as they are needed. Lanes that ask at the same time share one claim. */
function createSource({ db, slots }: EndpointDeps, key: EndpointKey, health: Health) {
  let queue: Claimed[] = [];
  let claimedAt = 0;
  let claiming: Promise<boolean> | undefined;

  async function claim(): Promise<boolean> {
    const limit = isFailing(health) ? failingLanes : health.isFast ? fastBatch : batch;
    claimedAt = performance.now();
    const claimed = await claimDeliveries(db, key, limit);
    const gone = claimed.filter(({ event }) => event === undefined).map(({ sequence }) => sequence);
    if (gone.length > 0) await abandonDeliveries(db, key, gone);
    queue = claimed.filter(({ event }) => event !== undefined);
    return claimed.length > 0;
  }

  async function release(): Promise<void> {
    const left = queue.splice(0).map(({ sequence }) => sequence);
    await releaseDeliveries(db, key, left);
  }

  async function next(): Promise<(Claimed & { event: EventRow }) | undefined> {
    for (;;) {
      if (performance.now() - claimedAt > startWithinMillis) await release();
      const first = queue.shift();
      if (first !== undefined) return first as Claimed & { event: EventRow };
      claiming ??= slots.database.run(key, claim).finally(() => {
        claiming = undefined;
      });
      if (!(await claiming)) return undefined;
    }
  }
  return { next, release };
}

async function openSending(deps: EndpointDeps, key: EndpointKey): Promise<Sending | undefined> {
  const target = await findTarget(deps.db, key);
  if (target?.state !== 'enabled') return undefined;
  const secrets = target.encryptedSecrets.map((stored) => deps.encryption.decrypt(stored, secretNameOf(key)));
  const view = viewFor({ companyId: key.companyId, company: target.company }, deps.links);
  return { dispatcher: deps.dispatcher.get(), url: target.url, secrets, view };
}

/** How often the URL, the state and the secrets of the endpoint are read again while there is much to deliver. */
const refreshMillis = 1_000;

/** Reads where and how to deliver, at most once per second. Returns undefined if the endpoint is disabled or deleted. */
function createSendingReader(deps: EndpointDeps, key: EndpointKey) {
  let readAt = Number.NEGATIVE_INFINITY;
  let sending: Promise<Sending | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - readAt > refreshMillis) {
      readAt = performance.now();
      sending = deps.slots.database.run(key, () => openSending(deps, key));
    }
    return sending;
  };
}

/** Delivers what is due to one endpoint. Returns when nothing is, or when it is disabled or deleted. */
export async function runEndpoint(deps: EndpointDeps, key: EndpointKey, health: Health): Promise<'done' | 'disabled'> {
  const source = createSource(deps, key, health);
  const readSending = createSendingReader(deps, key);
  let end: 'done' | 'disabled' | undefined;
  const onDisabled = (reason: EndpointDisabledReason) => {
    end = 'disabled';
    deps.report.disabled(key, reason);
  };
  const buffer = createResultBuffer({
    db: deps.db,
    notices: deps.notices,
    key,
    slots: deps.slots.database,
    onDisabled,
  });

  async function attempt(claimed: Claimed & { event: EventRow }, sending: Sending): Promise<void> {
    const slots = isFailing(health) ? deps.slots.failing : deps.slots.attempts;
    const result = await slots.run(key, () => attemptDelivery(claimed, sending));
    // A connection that was closed because the process stops says nothing about the endpoint.
    if (result.status === null && deps.signal.aborted) {
      await releaseDeliveries(deps.db, key, [claimed.sequence]);
      return;
    }
    health.failures = result.error === null ? 0 : health.failures + 1;
    health.isFast = result.error === null && result.durationMs < fastMillis;
    deps.report.attempted(key, result);
    await buffer.add(result);
  }

  let active = 0;
  const countLanes = () => (isFailing(health) ? failingLanes : lanes);

  async function runLane(): Promise<void> {
    while (end === undefined && active <= countLanes()) {
      const sending = await readSending();
      if (deps.signal.aborted) end ??= 'done';
      else if (sending === undefined) end ??= 'disabled';
      if (end !== undefined || sending === undefined) return;
      const claimed = await source.next();
      if (claimed === undefined) end ??= 'done';
      else {
        await attempt(claimed, sending);
        openLanes();
      }
    }
  }

  const running = new Set<Promise<void>>();
  /** Adds lanes, also after an endpoint that has failed succeeds again. */
  function openLanes(): void {
    for (; end === undefined && active < countLanes(); active++) {
      const lane = runLane().finally(() => {
        active--;
        running.delete(lane);
      });
      running.add(lane);
    }
  }

  try {
    while (end === undefined) {
      openLanes();
      while (running.size > 0) await Promise.race(running);
    }
    return end;
  } finally {
    end ??= 'done';
    await Promise.allSettled(running);
    await source.release();
    await buffer.flush();
  }
}
