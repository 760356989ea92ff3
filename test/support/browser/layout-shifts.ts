import type { BrowserContext, Page } from 'playwright-core';

/** Sums up how far the content of a page has moved since it was opened, as browsers measure it. */
const recordShifts = `window.shifts = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
}).observe({ type: 'layout-shift', buffered: true });`;

/** Measures the pages that the context opens from now on. */
export const recordLayoutShifts = (context: BrowserContext) => context.addInitScript({ content: recordShifts });

/** Returns how far the content has moved. 0.1 is the most that readers do not notice. */
export const layoutShiftOf = (page: Page) => page.evaluate<number>('shifts');
