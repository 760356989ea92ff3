/** Where to sign in, and where to go back to afterwards. */
export const signInAddress = (next: string) =>
  next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;

/** Only an address of our own pages: a link to the sign-in page must not lead elsewhere. */
export function addressAfterSignIn(next: string | null): string {
  if (next === null || !next.startsWith('/')) return '/';
  const { origin, pathname, search } = new URL(next, window.location.origin);
  return origin === window.location.origin ? pathname + search : '/';
}
