import { type MouseEvent, type ReactNode, useSyncExternalStore } from 'react';

/** The addresses of this page begin with it. */
const base = '/my';

const moved = 'my-page:moved';

const subscribe = (listener: () => void) => {
  window.addEventListener('popstate', listener);
  window.addEventListener(moved, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener(moved, listener);
  };
};

const current = () => window.location.pathname.slice(base.length).replace(/\/+$/, '') || '/';

/** Returns the address within this page: `/` or `/subscription/pause`. */
export const usePath = () => useSyncExternalStore(subscribe, current);

export function navigate(path: string, { replace = false } = {}): void {
  const address = path === '/' ? base : `${base}${path}`;
  if (replace) window.history.replaceState(null, '', address);
  else window.history.pushState(null, '', address);
  window.dispatchEvent(new Event(moved));
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

interface LinkProps {
  to: string;
  className?: string;
  isCurrent?: boolean;
  children: ReactNode;
}

export const Link = ({ to, className, isCurrent, children }: LinkProps) => (
  <a
    href={to === '/' ? base : `${base}${to}`}
    className={className}
    aria-current={isCurrent ? 'page' : undefined}
    onClick={(event) => {
      if (!isPlainClick(event)) return;
      event.preventDefault();
      navigate(to);
    }}
  >
    {children}
  </a>
);

/** Returns the query of the address and removes it in the same way: an identity provider sends a secret in it. */
export function takeQuery(): string {
  const query = window.location.search;
  if (query !== '') window.history.replaceState(null, '', window.location.pathname);
  return query;
}

/** Returns the fragment of the address and removes it at once, from the history as well: it is a secret. */
function takeFragment(): string | undefined {
  const fragment = window.location.hash.slice(1);
  if (fragment === '') return undefined;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return fragment;
}

// Taken before anything is rendered, so that no later address or history has it, and none is missed until then.
let taken = { fragment: takeFragment(), times: 0 };
const takenFragments = new EventTarget();
window.addEventListener('hashchange', () => {
  const next = takeFragment();
  if (next === undefined) return;
  taken = { fragment: next, times: taken.times + 1 };
  takenFragments.dispatchEvent(new Event('taken'));
});

const watchFragment = (listener: () => void) => {
  takenFragments.addEventListener('taken', listener);
  return () => takenFragments.removeEventListener('taken', listener);
};

/**
 * Returns the secret with which the address was opened, or the latest that followed in the same tab, and how many have
 * followed: the same one counts again.
 */
export const useFragment = () => useSyncExternalStore(watchFragment, () => taken);
