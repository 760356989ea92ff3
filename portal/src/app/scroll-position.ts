import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** How far each entry of the browser's history was scrolled. */
const positions = new Map<string, number>();

/** Begins a new page at its top, and returns to where the user was on one before. A filter does not move the page. */
export function useScrollPosition(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const lastPath = useRef(pathname);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another entry of the history moves the page.
  useLayoutEffect(() => {
    const isOther = lastPath.current !== pathname;
    lastPath.current = pathname;
    const position = type === 'POP' ? positions.get(key) : 0;
    if (position !== undefined && (type !== 'REPLACE' || isOther)) window.scrollTo(0, position);
    const keep = () => positions.set(key, window.scrollY);
    // When the page is loaded anew, the browser cares for it.
    const hide = () => {
      window.history.scrollRestoration = 'auto';
    };
    keep();
    window.history.scrollRestoration = 'manual';
    window.addEventListener('scroll', keep);
    window.addEventListener('pagehide', hide);
    return () => {
      window.removeEventListener('scroll', keep);
      window.removeEventListener('pagehide', hide);
    };
  }, [key]);
}
