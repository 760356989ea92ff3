import { listJobsSetAside, releaseJob } from '../jobs/set-aside.ts';
import { OperatorError } from '../operator-error.ts';
import { withEngine } from './context.ts';
import type { CommandContext } from './define.ts';

export const listJobs = (_options: unknown, { config }: CommandContext) =>
  withEngine(config, ({ db }) => listJobsSetAside(db));

export const release = ({ id }: { id: string }, { config }: CommandContext) =>
  withEngine(config, async ({ db }) => {
    if (/^[0-9a-f-]{36}$/.test(id) && (await releaseJob(db, id))) return { released: id };
    throw new OperatorError(`No job ${id} is set aside: run "job list" to see all.`);
  });
