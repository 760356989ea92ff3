import type { Random } from '../../src/operator/demo/random.ts';
import { type Received, startReceiver } from '../../test/support/webhooks.ts';

/** Starts a receiver that fails and hangs at random, and remembers which events it has accepted. */
export async function startFlakyReceiver(random: Random, chances: { fail: number; hang: number }) {
  const accepted = new Set<string>();
  const wrong: string[] = [];
  const counts = { failed: 0, hung: 0, repeated: 0 };

  function accept({ id, body }: Received): void {
    const { event } = JSON.parse(body) as { event: { id: string } };
    if (event.id !== id) wrong.push(`webhook-id ${id} has the body of ${event.id}`);
    if (accepted.has(id)) counts.repeated++;
    accepted.add(id);
  }

  const receiver = await startReceiver((received) => {
    if (random.chance(chances.hang)) {
      counts.hung++;
      return 'hang';
    }
    if (random.chance(chances.fail)) {
      counts.failed++;
      return 503;
    }
    accept(received);
    return 200;
  });
  return { url: receiver.url, stop: receiver.stop, accepted, wrong, counts };
}

export type FlakyReceiver = Awaited<ReturnType<typeof startFlakyReceiver>>;
