import { runScenarios } from '../harness/scenario.ts';
import { authenticationTrial } from './authentication.ts';
import { documentsTrial } from './documents.ts';
import { exportTrial } from './export.ts';
import { memoryTrial } from './memory.ts';
import { monthTrial } from './month.ts';
import { pagesTrial } from './pages.ts';
import { readsTrial } from './reads.ts';
import { startupTrial } from './startup.ts';
import { syncTrial } from './sync.ts';
import { twoProcessesTrial } from './two-processes.ts';

/**
 * `npm run bench -- [--quick] [--seed N] [--only NAME,NAME] [--publish]`: measures speed against what this machine can
 * do.
 */
await runScenarios('bench', [
  readsTrial,
  pagesTrial,
  exportTrial,
  syncTrial,
  monthTrial,
  documentsTrial,
  authenticationTrial,
  startupTrial,
  twoProcessesTrial,
  memoryTrial,
]);
