import { setTimeout as sleep } from 'node:timers/promises';

/** Polls the health endpoint, as a load balancer does. `end` returns how often the service was not healthy. */
export function watchHealth(apiUrl: string): { end(): Promise<number> } {
  const over = new AbortController();
  async function watch(): Promise<number> {
    let failures = 0;
    while (!over.signal.aborted) {
      const status = await fetch(`${apiUrl}/health`).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status !== 204) failures += 1;
      await sleep(250, undefined, { signal: over.signal }).catch(() => {});
    }
    return failures;
  }
  const watched = watch();
  return {
    end() {
      over.abort();
      return watched;
    },
  };
}
