import { setTimeout as sleep } from 'node:timers/promises';
import type { Encryption } from '../../platform/crypto/encryption.ts';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Listen } from '../../platform/db/listen.ts';
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts';
import { newEvents } from '../../platform/db/write.ts';
import type { Links } from '../../platform/http/links.ts';
import { createDeliverySlots } from '../../platform/http/slot-limits.ts';
import type { AddressRules } from '../../platform/outgoing/addresses.ts';
import { createLateDispatcher } from '../../platform/outgoing/dispatcher.ts';
import type { Notices } from '../notices/notices.ts';
import { listAllDueEndpoints, listDueEndpoints } from './claim.ts';
import { expireLog } from './expire.ts';
import { fanOut, listLaggingCompanies } from './fan-out.ts';
import { type EndpointDeps, type Health, runEndpoint, type WebhookReport } from './run-endpoint.ts';
import type { EndpointKey } from './store.ts';

export interface WebhookDeps {
  /** Connections of its own: jobs that take long must not delay deliveries. */
  database: { db: Db; close(): Promise<void> };
  listen: Listen;
  encryption: Encryption;
  notices: Notices;
  links: Links;
  rules: AddressRules;
  report: WebhookReport & { failed(error: unknown): void; expired(attempts: number): void };
}

/** Finds what no notification has announced: attempts whose time has come, and what another process has left behind. */
const pollMillis = 1_000;
/** A poll may take this part of the time of the database. */
const pollShare = 20;
/** A disabled endpoint with deliveries that wait is not looked at again for this long, nor is work that fails for a reason that lasts. */
const restMillis = 30_000;
const expireMillis = 3_600_000;
/** How long attempts may still take when the process stops. */
const graceMillis = 3_000;

const nameOf = ({ companyId, endpointId }: EndpointKey) => `${companyId}/${endpointId}`;

/** Starts one run per name at a time. A request that comes during a run leads to one more run after it. */
function createRuns<Key>(run: (key: Key) => Promise<void>) {
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  function start(name: string, key: Key): void {
    if (running.has(name)) {
      again.add(name);
      return;
    }
    const ended = run(key).finally(() => {
      running.delete(name);
      if (again.delete(name)) start(name, key);
    });
    running.set(name, ended);
  }
  return { start, isRunning: (name: string) => running.has(name), settle: () => Promise.all(running.values()) };
}

/** Turns events into deliveries and attempts them, until it is stopped. Any number of processes may do so. */
export function startWebhooks({ database, listen, encryption, notices, links, rules, report }: WebhookDeps) {
  const { db } = database;
  const stopping = new AbortController();
  const { signal } = stopping;
  const dispatcher = createLateDispatcher({ ...rules, connectMillis: 10_000 });
  const slots = createDeliverySlots();
  const deps: EndpointDeps = { db, encryption, notices, links, dispatcher, report, signal, slots };
  const failing = new Map<string, Health>();
  const resting = new Map<string, number>();

  /** When work may be tried again that has failed for another reason than an outage. */
  const pausedUntil = new Map<string, number>();

  /** Reports a failure and pauses, unless the database does not respond: other failures would repeat at once. */
  const guarded = async (name: string, work: () => Promise<void>) => {
    if (signal.aborted || (pausedUntil.get(name) ?? 0) > performance.now()) return;
    try {
      await work();
      pausedUntil.delete(name);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) pausedUntil.set(name, performance.now() + restMillis);
      if (!signal.aborted) report.failed(error);
    }
  };

  const endpoints = createRuns<EndpointKey>((key) =>
    guarded(nameOf(key), async () => {
      const name = nameOf(key);
      const health = failing.get(name) ?? { failures: 0, isFast: false };
      if ((await runEndpoint(deps, key, health)) === 'disabled') resting.set(name, performance.now() + restMillis);
      if (health.failures > 0) failing.set(name, health);
      else failing.delete(name);
    }),
  );
  const startEndpoint = (key: EndpointKey) => endpoints.start(nameOf(key), key);

  const companies = createRuns<CompanyId>((companyId) =>
    guarded(`company ${companyId}`, async () => {
      const due = await slots.database.run({ companyId }, async () => {
        await fanOut(db, companyId);
        return listDueEndpoints(db, companyId);
      });
      for (const key of due) startEndpoint(key);
    }),
  );
  const startCompany = (companyId: CompanyId) => companies.start(String(companyId), companyId);

  async function poll(): Promise<void> {
    for (const companyId of await listLaggingCompanies(db)) startCompany(companyId);
    for (const [name, until] of resting) if (until < performance.now()) resting.delete(name);
    for (const key of await listAllDueEndpoints(db)) {
      const name = nameOf(key);
      if (!resting.has(name) && !endpoints.isRunning(name)) startEndpoint(key);
    }
  }

  async function keepPolling(): Promise<void> {
    let expireAt = performance.now() + expireMillis * Math.random();
    while (!signal.aborted) {
      const start = performance.now();
      await guarded('poll', poll);
      if (start > expireAt) {
        await guarded('expire', async () => report.expired(await expireLog(db, signal)));
        expireAt = start + expireMillis;
      }
      const pause = Math.max(pollMillis, (performance.now() - start) * pollShare);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  const listener = listen({ channel: newEvents, onMessage: (text) => startCompany(asCompanyId(Number(text))) });
  listener.start();
  const polling = keepPolling();

  return {
    async stop(): Promise<void> {
      stopping.abort();
      await listener.stop();
      await polling;
      const grace = setTimeout(() => void dispatcher.destroy().catch(() => {}), graceMillis);
      await companies.settle();
      await endpoints.settle();
      clearTimeout(grace);
      await dispatcher.destroy().catch(() => {});
      await database.close();
    },
  };
}
