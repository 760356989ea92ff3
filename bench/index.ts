import { runScenarios } from '../harness/scenario.ts';
import { capacityScenario } from './capacity.ts';
import { citusMonthScenario } from './citus-month.ts';
import { exportScenario } from './export.ts';
import { forecastScenario } from './forecast.ts';
import { installScenario } from './install.ts';
import { issuerScenario } from './issuer.ts';
import { monthScenario } from './month.ts';
import { openingScenario } from './opening.ts';
import { pullScenario } from './pull.ts';
import { readsScenario } from './reads/index.ts';
import { repeatedScenario } from './repeated.ts';
import { scimScenario } from './scim.ts';
import { startupScenario } from './startup.ts';
import { growingSyncScenario, syncScenario } from './sync.ts';
import { webhooksScenario } from './webhooks.ts';

/** `npm run bench -- [--quick] [--seed N] [--only NAME,NAME] [--publish]`: measures speed against what is possible here. */
await runScenarios('bench', [
  readsScenario,
  repeatedScenario,
  exportScenario,
  syncScenario,
  growingSyncScenario,
  pullScenario,
  scimScenario,
  issuerScenario,
  monthScenario,
  citusMonthScenario,
  forecastScenario,
  openingScenario,
  startupScenario,
  installScenario,
  webhooksScenario,
  capacityScenario,
]);
