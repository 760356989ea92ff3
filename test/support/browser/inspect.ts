import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { holdsWithin } from '../until.ts';
import { settled } from './visit.ts';

const axe = readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface AxeOptions {
  /** Reports advice, too. */
  isStrict?: boolean;
  /** Checks the rules about colours only: another theme changes nothing else. */
  onlyColours?: boolean;
  /** Checks only the element that this selector finds, if there is one. */
  within?: string;
}

/**
 * Returns what axe-core finds: accessibility barriers and, if strict, advice. The debugger evaluates axe-core, so the
 * page keeps its real content security policy.
 */
export async function findBarriers(
  page: Page,
  { isStrict, onlyColours, within = 'html' }: AxeOptions = {},
): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(await axe);
  const rules = onlyColours ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {};
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document.querySelector('${within}') ?? document, ${options})`,
  );
  return violations
    .filter(({ impact }) => isStrict || impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    );
}

/** Throws if axe-core finds something. */
export async function assertUsableByAll(page: Page, where: string, options: AxeOptions = {}): Promise<void> {
  assert.deepEqual(await findBarriers(page, options), [], where);
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

/** Returns what makes the page scroll sideways. */
export async function findTooWide(page: Page, timeout = timeoutMillis): Promise<string[]> {
  let wide: string[] = [];
  await holdsWithin(timeout, async () => {
    wide = await page.evaluate<string[]>(tooWide);
    return wide.length === 0;
  });
  return wide;
}

/** Throws if the page scrolls sideways. */
export async function assertFits(page: Page, where: string): Promise<void> {
  assert.deepEqual(await findTooWide(page), [], where);
}

/** Waits until the colours of every element have changed. What moves for ever, such as a progress bar, is left out. */
const colourChanges = `Promise.all(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
  .map(({ finished }) => finished.catch(() => {}))).then(() => {})`;

export async function switchToDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html:not([data-mantine-color-scheme=light])').waitFor({ state: 'attached' });
  await page.evaluate(colourChanges);
}

/** Checks a page on a desktop in light mode and on a phone in dark mode. */
export async function inspect(page: Page, where: string): Promise<void> {
  const desk = page.viewportSize();
  await settled(page);
  await assertUsableByAll(page, `${where}, light, on a desk`);
  await page.setViewportSize({ width: 390, height: 844 });
  try {
    await switchToDark(page);
    await settled(page);
    await assertFits(page, `${where} on a phone`);
    await assertUsableByAll(page, `${where}, dark, on a phone`);
  } finally {
    await page.emulateMedia({ colorScheme: 'light' });
    if (desk) await page.setViewportSize(desk);
  }
}
