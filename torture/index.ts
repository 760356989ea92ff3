import { runScenarios } from '../harness/scenario.ts';
import { apiKilled } from './api-killed.ts';
import { citus } from './citus/index.ts';
import { connectionFaults } from './connection-faults/index.ts';
import { crossCompany } from './cross-company/index.ts';
import { dumpRestore } from './dump-restore/index.ts';
import { generatedRequests } from './generated-requests/index.ts';
import { hostileStrings } from './hostile-strings/index.ts';
import { invoices } from './invoices.ts';
import { issuerScenario } from './issuer/index.ts';
import { malformedHttp } from './malformed-http/index.ts';
import { mixedLoad } from './mixed-load.ts';
import { overloaded } from './overload.ts';
import { plantedSecrets } from './planted-secrets/index.ts';
import { postgresStopped } from './postgres-stopped.ts';
import { rollingUpgrade } from './rolling-upgrade/index.ts';
import { stopping } from './stopping.ts';
import { timing } from './timing.ts';
import { webhooks } from './webhooks.ts';
import { workerKilled } from './worker-killed/index.ts';

/** `npm run torture -- [--quick] [--seed N] [--only NAME,NAME] [--publish]`: checks what the service survives. */
await runScenarios('torture', [
  workerKilled,
  webhooks,
  invoices,
  issuerScenario,
  apiKilled,
  postgresStopped,
  connectionFaults,
  citus,
  generatedRequests,
  crossCompany,
  malformedHttp,
  overloaded,
  stopping,
  rollingUpgrade,
  timing,
  plantedSecrets,
  hostileStrings,
  dumpRestore,
  mixedLoad,
]);
