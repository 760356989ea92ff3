import type { RosterEntry, TransitBenefits } from '../../sdk/src/index.ts';

export interface ExerciseTask {
  /** Absent: the library reads the key and the address from the environment. */
  key?: string;
  baseUrl?: string;
  integrationId: number;
  roster: RosterEntry[];
  secret: string;
  /** The address of a server that begins every response, and never ends it. */
  hanging: string;
}

export type ExerciseResult = Awaited<ReturnType<typeof exerciseClient>>;

/**
 * Uses the client library as an integrator would, and returns what it saw. Other runtimes execute the text of this function, so it
 * uses nothing but its arguments and what every runtime has.
 */
export async function exerciseClient(library: typeof import('../../sdk/src/index.ts'), task: ExerciseTask) {
  const failureOf = async (promise: Promise<unknown>) => {
    const error = (await promise.catch((reason) => reason)) as Error;
    return `${error.name}: ${error.message}`;
  };
  const { key, baseUrl, integrationId, roster, secret, hanging } = task;
  const client: TransitBenefits = new library.TransitBenefits({ key, baseUrl });

  const sync = await client.hrIntegrations.sync(integrationId, roster, { wait: true });
  const names: string[] = [];
  for await (const { firstName } of client.employees.list()) names.push(firstName);
  const charges: unknown[] = [];
  for await (const item of client.billing.export('2026-11', 'ticket-charge')) charges.push(item);

  const stop = new AbortController();
  const types: string[] = [];
  for await (const { type } of client.events.follow({ signal: stop.signal, pollMs: 50 })) {
    types.push(type);
    if (type === 'sync-finished') stop.abort();
  }

  const event = { id: 'evt_1', type: 'sync-finished', sequence: 1, timestamp: '2026-11-15T11:00:00.000Z' };
  const body = JSON.stringify({ event, payload: {} });
  const headers = await library.signWebhook(body, secret, 'evt_1');
  const request = (text: string) => new Request('http://127.0.0.1/hook', { method: 'POST', headers, body: text });
  const verified = await library.verifyWebhook(request(body), secret);

  const aborted = new AbortController();
  const slow = { key: 'a:b', baseUrl: hanging, retry: { retries: 0 } };
  const abandoned = failureOf(new library.TransitBenefits(slow).me({ signal: aborted.signal }));
  aborted.abort(new Error('no longer wanted'));
  return {
    counts: sync.counts,
    names,
    charges: charges.length,
    types,
    verified: verified.type,
    forged: await failureOf(library.verifyWebhook(request(`${body} `), secret)),
    wrongKey: await failureOf(new library.TransitBenefits({ key: 'a:b', baseUrl }).me()),
    hanging: await failureOf(new library.TransitBenefits({ ...slow, timeoutMs: 1000 }).me()),
    hangingExport: await failureOf(
      new library.TransitBenefits({ ...slow, timeoutMs: 1000 }).billing.export('2026-11', 'ticket-charge').next(),
    ),
    abandoned: await abandoned,
  };
}
