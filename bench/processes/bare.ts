import Fastify from 'fastify';
import { createAuthenticator } from '../../src/features/keys/authenticate.ts';
import { createGuard } from '../../src/features/keys/guard.ts';
import { createKeyedHash } from '../../src/features/keys/keyed-hash.ts';
import { connectDatabase } from '../../src/platform/db/database.ts';
import { listenOn } from '../../src/platform/db/listen.ts';
import { createRateLimiter } from '../../src/platform/http/rate-limit.ts';
import { createCounter } from '../../src/platform/http/shared-counter.ts';
import type { BareOptions } from './index.ts';

/** The anchor H: a Fastify that only returns the requested number of bytes of JSON. */
const app = Fastify();
const { guardedBy }: BareOptions = JSON.parse(process.argv[2] ?? '{}');
if (guardedBy !== undefined) {
  const { db } = connectDatabase({ url: guardedBy, max: 2, applicationName: 'bench' });
  const authenticator = createAuthenticator({
    db,
    environment: 'staging',
    listen: listenOn(guardedBy),
    onError: console.error,
  });
  app.decorateRequest('principal', undefined);
  const limits = { key: 1_000_000_000, portal: 0, wallet: 0, signing: 0, invitation: 0 };
  const limiter = createRateLimiter(limits, createCounter(db, console));
  app.addHook(
    'onRequest',
    createGuard({ ...authenticator, environment: 'staging', limiter, keyedHash: createKeyedHash('bench') }),
  );
}
const bodies = new Map<number, string>();

function bodyOf(bytes: number): string {
  const known = bodies.get(bytes);
  if (known !== undefined) return known;
  const body = JSON.stringify({ data: 'x'.repeat(Math.max(0, bytes - 11)) });
  bodies.set(bytes, body);
  return body;
}

app.get<{ Params: { bytes: string } }>(
  '/:bytes',
  { config: { permissions: ['view-employees'] } },
  async (request, reply) => {
    reply.type('application/json; charset=utf-8');
    return bodyOf(Number(request.params.bytes));
  },
);
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${address}\n`);
