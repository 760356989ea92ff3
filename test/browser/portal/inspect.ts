import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { holdsWithin } from '../../support/until.ts';
import { settled } from './visit.ts';

const axe = readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Throws if axe-core finds an accessibility barrier. The debugger evaluates axe-core, so the page keeps its real
 * content security policy.
 */
export async function assertUsableByAll(page: Page, where: string): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(await axe);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  const barriers = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    );
  assert.deepEqual(barriers, [], where);
}

/** Lists the elements that are wider than the window, if the page scrolls sideways. */
const tooWide = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => element.outerHTML.slice(0, 160)).slice(0, 8)`;

/**
 * Limits the wait for the layout. It adapts to a narrower window with the browser's next frames, which come late on a
 * busy machine.
 */
const timeoutMillis = 120_000;

async function assertFits(page: Page, where: string): Promise<void> {
  let wide: string[] = [];
  await holdsWithin(timeoutMillis, async () => {
    wide = await page.evaluate<string[]>(tooWide);
    return wide.length === 0;
  });
  assert.deepEqual(wide, [], where);
}

/** Checks a page on a desktop in light mode and on a phone in dark mode. */
export async function inspect(page: Page, where: string): Promise<void> {
  const desk = page.viewportSize();
  await settled(page);
  await assertUsableByAll(page, `${where}, light, on a desk`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await settled(page);
  await assertFits(page, `${where} on a phone`);
  await assertUsableByAll(page, `${where}, dark, on a phone`);
  await page.emulateMedia({ colorScheme: 'light' });
  if (desk) await page.setViewportSize(desk);
}
