import { PermissionError } from './errors.ts';

/** Returns the value with the keys of all objects in order, so that the same content always has the same text. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sortKeys(one)]));
}

async function hash(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns the id of a sync with this content. The service runs an id once. So the id contains what was accepted before:
 * the same roster sent twice in a row is one sync, also by two programs at once, but a roster that returns after a
 * different one is a new sync.
 */
export async function createSyncId(
  employees: readonly object[],
  findNewest: () => Promise<string | undefined>,
): Promise<string> {
  const content = `content-${(await hash(JSON.stringify(sortKeys(employees)))).slice(0, 40)}`;
  try {
    const newest = await findNewest();
    if (newest?.startsWith(`${content}-`)) return newest;
    return `${content}-${(await hash(newest ?? '')).slice(0, 12)}`;
  } catch (error) {
    // The key may push rosters, but not read earlier syncs. A roster that runs twice changes nothing the second time.
    if (error instanceof PermissionError) return `${content}-${Date.now().toString(36)}`;
    throw error;
  }
}
