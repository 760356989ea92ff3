/**
 * Stores what must be there without a network, on this device alone. It is encrypted with a key that no script can read
 * or copy. Signing out deletes the key, and what it encrypted cannot be read again, wherever a copy may be.
 */
const databaseName = 'my-page';
const storeName = 'kept';

type Row = 'key' | 'tickets' | 'seen';

interface Encrypted {
  iv: Uint8Array<ArrayBuffer>;
  bytes: ArrayBuffer;
}

/** Returns whether this browser can store tickets. It cannot on a page without TLS. */
const isPossible = () =>
  typeof indexedDB !== 'undefined' && typeof crypto !== 'undefined' && crypto.subtle !== undefined;

const promised = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(storeName);
  return promised(request);
}

/** Runs one transaction. The connection is closed after it, so that it never blocks another tab. */
async function transact<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(storeName, mode, { durability: 'strict' });
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const result = await work(transaction.objectStore(storeName));
    await done;
    return result;
  } finally {
    database.close();
  }
}

const get = async <T>(store: IDBObjectStore, row: Row) => (await promised(store.get(row))) as T | undefined;

/** Returns the key of this device, and makes one if there is none. Two tabs that start together use the same. */
async function ensureKey(): Promise<CryptoKey> {
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  return transact('readwrite', async (store) => {
    const known = await get<CryptoKey>(store, 'key');
    if (known === undefined) store.put(made, 'key');
    return known ?? made;
  });
}

/** Returns what is stored, or undefined if there is nothing that can be read. */
export async function readKept<T>(): Promise<T | undefined> {
  if (!isPossible()) return undefined;
  try {
    const [key, encrypted] = await transact('readonly', (store) =>
      Promise.all([get<CryptoKey>(store, 'key'), get<Encrypted>(store, 'tickets')]),
    );
    if (key === undefined || encrypted === undefined) return undefined;
    const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: encrypted.iv }, key, encrypted.bytes);
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  } catch {
    return undefined;
  }
}

/** Stores a value. Resolves to false if `mayWrite` returns false at last: somebody has signed out meanwhile. */
export async function writeKept(value: unknown, mayWrite: () => boolean): Promise<void> {
  if (!isPossible()) return;
  const key = await ensureKey();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const bytes = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    key,
    new TextEncoder().encode(JSON.stringify(value)),
  );
  await transact('readwrite', async (store) => {
    // The key may have been deleted since, by another tab that signed out.
    if (mayWrite() && (await get(store, 'key')) !== undefined) store.put({ iv, bytes } satisfies Encrypted, 'tickets');
  });
}

/** Deletes the key and everything else. */
export async function clearKept(): Promise<void> {
  if (!isPossible()) return;
  await transact('readwrite', async (store) => void (await promised(store.clear())));
}

/** Returns the latest moment that this device has seen, on the service's clock. */
export const readSeen = async (): Promise<number> =>
  isPossible() ? transact('readonly', async (store) => (await get<number>(store, 'seen')) ?? 0).catch(() => 0) : 0;

export async function writeSeen(moment: number): Promise<void> {
  if (!isPossible()) return;
  await transact('readwrite', async (store) => void store.put(moment, 'seen')).catch(() => {});
}
