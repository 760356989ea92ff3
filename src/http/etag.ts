/** Returns true if the client already has the response with this validator. */
export const matchesETag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch?.split(',') ?? []).some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
