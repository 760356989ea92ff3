/** Where a sync is shown. What pushed it chose its id, which may hold any character. */
export const syncAddress = (integrationId: number, syncId: string) =>
  `/integrations/${integrationId}/syncs/${encodeURIComponent(syncId)}`;
