import { basename } from 'node:path';
import { after } from 'node:test';

const patienceMs = 120_000;

/**
 * Loaded before every test file: one whose tests are over must end by itself. After a test that ran out of time, or that
 * failed before it closed its application, it would keep the whole run waiting.
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

// The runner and the processes that a test starts load this too.
const [, file = ''] = process.argv;
if (file.endsWith('.test.ts')) endInTime(basename(file));
