import { useSyncExternalStore } from 'react';
import type { EmployeeSession as Session } from '../../src/features/employee-access/contract.ts';
import type { Home } from '../../src/my/contract.ts';
import { ApiProblem, call, isSignedOut, post } from './api/call.ts';
import { nowOf } from './device/clock.ts';
import { clearKept, readKept, readSeen, writeKept, writeSeen } from './device/database.ts';
import { type Kept, updateKept } from './device/kept.ts';

/** `offline`: the service cannot be reached. `down`: it was reached and could not respond. */
export type Connection = 'online' | 'offline' | 'down';

export interface State {
  /** Undefined: not known yet. Null: nobody is signed in. */
  session: Session | null | undefined;
  home: Home | undefined;
  kept: Kept | undefined;
  connection: Connection;
  /** Whether somebody was signed in here whose session has ended. */
  hasEnded: boolean;
}

let state: State = { session: undefined, home: undefined, kept: undefined, connection: 'online', hasEnded: false };
const listeners = new Set<() => void>();

function set(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useAppState = () => useSyncExternalStore(subscribe, () => state);

/** The other tabs of this page. What one forgets, all forget. */
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('my-page');
tabs?.addEventListener('message', ({ data }) => {
  if (data === 'signed-out') {
    generation++;
    set({ session: null, home: undefined, kept: undefined });
  } else if (data === 'changed') void refresh();
});

/** Counts sign-ins and sign-outs. What was requested before the last one no longer counts. */
let generation = 0;

/** Removes everything about the employee from this device. */
async function forget(hasEnded: boolean): Promise<void> {
  generation++;
  set({ session: null, home: undefined, kept: undefined, hasEnded });
  tabs?.postMessage('signed-out');
  await clearKept();
}

/** Handles what every request may meet. Returns whether the error means that the session has ended. */
export function noteError(error: unknown): boolean {
  if (isSignedOut(error)) {
    void forget(state.session != null || state.kept !== undefined);
    return true;
  }
  if (!(error instanceof ApiProblem)) set({ connection: 'offline' });
  else if (error.status >= 500) set({ connection: 'down' });
  return false;
}

let refreshing: Promise<void> | undefined;
let refreshedAt = 0;

async function fetchAll(): Promise<void> {
  const started = generation;
  try {
    const [session, home] = await Promise.all([call<Session>('GET', '/session'), call<Home>('GET', '/home')]);
    if (started !== generation) return;
    const kept = updateKept(state.kept, { session: session.data, home: home.data, sentAt: home.sentAt });
    refreshedAt = Date.now();
    set({ session: session.data, home: home.data, kept, connection: 'online', hasEnded: false });
    await writeKept(kept, () => started === generation);
    await writeSeen(kept.clock.seen);
  } catch (error) {
    if (started !== generation || noteError(error)) return;
    if (state.connection === 'online') set({ connection: 'down' });
  }
}

/** Fetches what the page shows. Calls at the same time share one request. */
export function refresh(): Promise<void> {
  refreshing ??= fetchAll().finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

const staleMillis = 60_000;

/** Refreshes when the page comes into view, when the network comes back, and now and then. Not twice within a minute. */
function refreshIfStale(): void {
  if (state.session === null) return;
  if (state.connection !== 'online' || Date.now() - refreshedAt > staleMillis) void refresh();
}

/** Where this device remembers that its session is still to be ended. */
const pendingName = 'my-page-sign-out';

/** Ends the session that was to be ended without a network. Returns whether there is nothing left to end. */
async function endPending(): Promise<boolean> {
  const path = localStorage.getItem(pendingName);
  if (path === null) return true;
  set({ session: null });
  try {
    await post(path);
  } catch (error) {
    if (!isSignedOut(error)) return false;
  }
  localStorage.removeItem(pendingName);
  return true;
}

/** Whether what is stored has been read. Before that, a response would replace the tickets of other employments. */
let isStarted = false;

/** Shows what is stored at once, and fetches the rest. */
export async function start(): Promise<void> {
  const [kept, seen] = await Promise.all([readKept<Kept>(), readSeen()]);
  if (kept !== undefined) set({ kept: { ...kept, clock: { ...kept.clock, seen: Math.max(kept.clock.seen, seen) } } });
  isStarted = true;
  if (await endPending()) await refresh();
}

/** Ends a session that could not be ended before, or refreshes what is shown. */
export function reconnect(): void {
  if (!isStarted) return;
  if (localStorage.getItem(pendingName) !== null) void endPending();
  else refreshIfStale();
}

/** Begins a session that the service has opened. */
export async function enter(): Promise<void> {
  generation++;
  refreshing = undefined;
  localStorage.removeItem(pendingName);
  await clearKept();
  set({ session: undefined, home: undefined, kept: undefined, hasEnded: false, connection: 'online' });
  await refresh();
  tabs?.postMessage('changed');
}

/** Ends this session, or all of the employee's. The device forgets the ticket even if the service cannot be reached. */
export async function leave(everywhere = false): Promise<void> {
  const path = everywhere ? '/sign-out-everywhere' : '/sign-out';
  localStorage.setItem(pendingName, path);
  await forget(false);
  await endPending();
}

export async function switchEmployment(id: number): Promise<void> {
  const { kept, session } = state;
  if (kept?.employments.some((one) => one.id === id)) set({ kept: { ...kept, currentId: id } });
  if (session == null) return;
  try {
    await post('/session/employment', { id });
    generation++;
    refreshing = undefined;
    set({ home: undefined });
    await refresh();
    tabs?.postMessage('changed');
  } catch (error) {
    noteError(error);
  }
}

/** Returns the present moment on the service's clock. */
export const currentTime = () => (state.kept === undefined ? Date.now() : nowOf(state.kept.clock));

/** Notes that the present moment has passed, so that no clock that is set back brings it again. */
export function passTime(): void {
  const { kept } = state;
  if (kept === undefined) return;
  const now = nowOf(kept.clock);
  if (now - kept.clock.seen < 30_000) return;
  set({ kept: { ...kept, clock: { ...kept.clock, seen: now } } });
  void writeSeen(now);
}
