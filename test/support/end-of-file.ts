import { basename } from 'node:path';
import { after } from 'node:test';

const patienceMs = 120_000;

/**
 * Ends a test file that does not end by itself after its tests. After a test that timed out, or that failed before it
 * closed its application, the file would block the whole run. This module is loaded before every test file.
 */
function endInTime(file: string): void {
  after(() => {
    const end = () => {
      console.error(`${file} has left open: ${process.getActiveResourcesInfo().join(', ')}.`);
      process.exit(1);
    };
    setTimeout(end, patienceMs).unref();
  });
}

// The test runner and the processes that a test starts load this module too.
const [, file = ''] = process.argv;
if (file.endsWith('.test.ts')) endInTime(basename(file));
