import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executable = candidates.find((path) => path && existsSync(path));

/** The reason why browser tests are skipped here, or false when they can run. */
export const noBrowser = executable === undefined && 'no Chromium on this machine (Debian: apt-get install chromium)';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executable ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
