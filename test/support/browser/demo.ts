import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { type Env, freePort, serve } from '../process.ts';
import type { Login } from './visit.ts';

export interface Demo extends AsyncDisposable {
  origin: string;
  login: Login;
  /** Opens the page of an employee, once. */
  myLink: string;
}

/** Starts a service with the demo company, in a folder of its own and with these settings. */
export async function openDemo(extra: Env = {}): Promise<Demo> {
  await using stops = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'transit-demo-'));
  stops.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const service = await serve({
    env: {
      DATA_DIR: folder,
      PORT: String(port),
      PUBLIC_URL: origin,
      DEMO: 'on',
      PORTAL: 'on',
      WEBHOOK_ALLOW_PRIVATE: 'on',
      ...extra,
    },
  });
  stops.defer(async () => {
    await service.end('SIGTERM');
  });
  const { login } = JSON.parse(await readFile(join(folder, 'demo-access.json'), 'utf8'));
  const myLink = /http\S+\/my\/enter#\S+/.exec(service.output.stdout)?.[0] ?? '';
  const all = stops.move();
  return { origin, login, myLink, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Signs in without the form, whose labels depend on the language. */
export const signInQuietly = (context: BrowserContext, origin: string, { email, password }: Login) =>
  context.request.post(`${origin}/portal/api/auth/sign-in/email`, { headers: { origin }, data: { email, password } });
