export const signInPath = '/sign-in';

/** Returns the address of the sign-in page, including where to return afterwards. */
export const signInAddress = (next: string) =>
  next === '/' ? signInPath : `${signInPath}?next=${encodeURIComponent(next)}`;

/**
 * Returns the address to open after sign-in. Accepts only our own pages, because a link to the sign-in page must not
 * lead to another site.
 */
export function addressAfterSignIn(next: string | null): string {
  if (next === null || !next.startsWith('/')) return '/';
  const { origin, pathname, search } = new URL(next, window.location.origin);
  return origin === window.location.origin ? pathname + search : '/';
}
