import { runScenarios } from '../harness/scenario.ts';
import { authenticationScenario } from './authentication.ts';
import { costsScenario } from './costs.ts';
import { documentsScenario } from './documents.ts';
import { exportScenario } from './export.ts';
import { invoicesScenario } from './invoices.ts';
import { memoryScenario } from './memory.ts';
import { monthScenario } from './month.ts';
import { pagesScenario } from './pages.ts';
import { pullScenario } from './pull.ts';
import { readsScenario } from './reads/index.ts';
import { requestLogScenario } from './request-log.ts';
import { sdkScenario } from './sdk.ts';
import { startupScenario } from './startup.ts';
import { growingSyncScenario, syncScenario } from './sync.ts';
import { tracingScenario } from './tracing.ts';
import { twoProcessesScenario } from './two-processes.ts';
import { webhooksScenario } from './webhooks.ts';

/**
 * `npm run bench -- [--quick] [--seed N] [--only NAME,NAME] [--publish]`: measures speed against what this machine can
 * do.
 */
await runScenarios('bench', [
  readsScenario,
  pagesScenario,
  exportScenario,
  syncScenario,
  growingSyncScenario,
  pullScenario,
  monthScenario,
  documentsScenario,
  invoicesScenario,
  costsScenario,
  authenticationScenario,
  requestLogScenario,
  sdkScenario,
  startupScenario,
  twoProcessesScenario,
  tracingScenario,
  webhooksScenario,
  memoryScenario,
]);
