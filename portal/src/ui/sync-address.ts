/**
 * Returns the address of a sync's page. The client that pushed the sync chose its id, which may contain any character.
 */
export const syncAddress = (integrationId: number, syncId: string) =>
  `/integrations/${integrationId}/syncs/${encodeURIComponent(syncId)}`;
