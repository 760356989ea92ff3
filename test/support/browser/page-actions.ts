import { buffer } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import type { RosterFile } from './rosters.ts';
import { settled } from './visit.ts';

/** Performs actions on the portal's pages, in English. */
export interface PageActions {
  heading(name: string | RegExp, level?: number): Locator;
  button(name: string): Locator;
  dialog(name?: string): Locator;
  /** Opens a page through the navigation, and waits for it. */
  goTo(name: string): Promise<void>;
  download(start: () => Promise<void>): Promise<{ name: string; bytes: Buffer }>;
  createIntegration(name: string): Promise<void>;
  /** Goes from the page of an integration to the preview of a roster. */
  previewRoster(file: RosterFile): Promise<void>;
  /** Goes from the preview to the page of the sync, and waits until the sync ends. */
  applyRoster(outcome: string): Promise<void>;
  /** Returns what a sync did, or would do, such as `Created 3`. */
  counts(): Promise<string>;
}

export function pageActionsOn(page: Page): PageActions {
  const heading: PageActions['heading'] = (name, level = 1) => page.getByRole('heading', { name, level });
  const button: PageActions['button'] = (name) => page.getByRole('button', { name, exact: true });
  const dialog: PageActions['dialog'] = (name) => page.getByRole('dialog', name === undefined ? {} : { name });
  const goTo = async (name: string) => {
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name }).click();
    await heading(name).waitFor();
    await settled(page);
  };
  return {
    heading,
    button,
    dialog,
    goTo,
    async download(start) {
      const [file] = await Promise.all([page.waitForEvent('download'), start()]);
      return { name: file.suggestedFilename(), bytes: await buffer(await file.createReadStream()) };
    },
    async createIntegration(name) {
      await goTo('HR data');
      await page.getByRole('link', { name: 'Add integration' }).first().click();
      await page.getByRole('button', { name: /^API/ }).click();
      await dialog().getByLabel('Name').fill(name);
      await dialog().getByRole('button', { name: 'Create integration' }).click();
      await dialog(`${name} has been created`).waitFor();
    },
    async previewRoster(file) {
      await page.getByRole('link', { name: 'Upload roster' }).click();
      await page.locator('input[type=file]').setInputFiles(file);
      await heading('Preview', 2).waitFor();
    },
    async applyRoster(outcome) {
      await button('Apply roster').click();
      await heading(/\.(csv|json|xlsx)$/).waitFor();
      await page.getByText(`The sync has finished: ${outcome}.`).waitFor();
      await settled(page);
    },
    counts: async () => (await page.getByRole('main').locator('dl').first().innerText()).replace(/\s+/g, ' '),
  };
}
