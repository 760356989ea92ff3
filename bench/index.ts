import { documentsTrial } from './documents.ts';
import { monthTrial } from './month.ts';
import { syncTrial } from './sync.ts';
import { runTrials } from './trial.ts';

/** `npm run bench -- [--quick] [--seed N] [--only NAME,NAME] [--publish]`: how fast, against what this machine can do. */
await runTrials('bench', [syncTrial, monthTrial, documentsTrial]);
