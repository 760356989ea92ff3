import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** The path of the page whose heading had the focus last, or of the first page of the visit. */
let lastPath: string | undefined;

/**
 * Moves the focus to the heading of a page that was opened by a link, so that a screen reader announces it and the
 * keyboard continues there. The first page of a visit leaves the focus to the browser. Another filter, or a page that
 * is rendered again when its data arrive, is no new page.
 */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const isOther = lastPath !== undefined && lastPath !== pathname;
    lastPath = pathname;
    if (isOther) heading.current?.focus({ preventScroll: true });
  }, [pathname]);
  return heading;
}
