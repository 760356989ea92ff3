import type { Page } from 'playwright-core';

export interface Login {
  email: string;
  password: string;
}

const unfinished = '.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy="true"], [data-stale]';

/** Waits until the page shows its heading and no loading placeholder. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator(unfinished).first().waitFor({ state: 'detached' });
}

/** Signs in through the form, and waits for the requested page. */
export async function signIn(page: Page, origin: string, { email, password }: Login, path = '/'): Promise<void> {
  await page.goto(`${origin}${path}`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#main').waitFor();
  await settled(page);
}
