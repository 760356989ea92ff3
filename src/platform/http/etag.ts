const isMatch = (tag: string, etag: string) => tag === '*' || tag.replace(/^W\//, '') === etag;

/** Returns true if the client already has the response with this validator. */
export const matchesETag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch === etag || ifNoneMatch?.split(',').some((tag) => isMatch(tag.trim(), etag)) === true;
