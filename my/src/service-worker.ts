import type { EmployeeSession as Session } from '../../src/features/employee-access/contract.ts';
import type { Home } from '../../src/my/contract.ts';
import { call, isSignedOut } from './api/call.ts';
import { clearKept, readKept, writeKept } from './device/database.ts';
import { type Kept, updateKept } from './device/kept.ts';

/**
 * Makes the page open without a network: it stores the page and its files, as one version, and nothing that the API
 * returns. A new version is installed beside the old one and replaces it when the page says that it may.
 */
declare const self: ServiceWorkerGlobalScope;
/** Set by the build. */
declare const __VERSION__: string;
declare const __FILES__: string[];

const page = '/my';
const prefix = 'my-page-';
const cacheName = `${prefix}${__VERSION__}`;

/** Throws if the service sends the page of another version, whose files this one does not have. */
async function store(): Promise<void> {
  const response = await fetch(page, { headers: { accept: 'text/html' }, cache: 'reload' });
  const html = await response.clone().text();
  const scripts = [...html.matchAll(/src="(\/my\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  if (!response.ok || scripts.length === 0 || !scripts.every((path) => __FILES__.includes(path))) {
    throw new Error('The page is of another version.');
  }
  const cache = await caches.open(cacheName);
  await cache.addAll(__FILES__.map((path) => new Request(path, { cache: 'reload' })));
  await cache.put(page, response);
}

async function removeOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)),
  );
}

const findStored = async (path: string) => (await caches.open(cacheName)).match(path);

self.addEventListener('install', (event) => event.waitUntil(store()));
self.addEventListener('activate', (event) => event.waitUntil(removeOthers().then(() => self.clients.claim())));
self.addEventListener('message', ({ data }) => {
  if (data === 'activate') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || pathname.startsWith('/my/api')) return;
  const isPage = request.mode === 'navigate' && (pathname === page || pathname.startsWith(`${page}/`));
  if (!isPage && !__FILES__.includes(pathname)) return;
  event.respondWith(findStored(isPage ? page : pathname).then((stored) => stored ?? fetch(request)));
});

/** Fetches the tickets while the page is closed, so that the one of the next month is there on the first. */
async function refresh(): Promise<void> {
  const kept = await readKept<Kept>();
  if (kept === undefined) return;
  try {
    const session = await call<Session>('GET', '/session');
    const home = await call<Home>('GET', '/home');
    await writeKept(updateKept(kept, { session: session.data, home: home.data, sentAt: home.sentAt }), () => true);
  } catch (error) {
    if (isSignedOut(error)) await clearKept();
  }
}

// Browsers that know it send it to installed apps about once a day.
self.addEventListener('periodicsync' as 'sync', (event) => (event as ExtendableEvent).waitUntil(refresh()));
