import { runTrials } from '../bench/trial.ts';
import { workerKilled } from './worker-killed.ts';

/** `npm run torture -- [--quick] [--seed N] [--only NAME,NAME] [--publish]`: what the service survives. */
await runTrials('torture', [workerKilled]);
