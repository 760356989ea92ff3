import { withEngine } from '../features/command-context.ts';
import type { CommandContext } from '../platform/cli/define.ts';
import { OperatorError } from '../platform/config/operator-error.ts';
import { listJobsSetAside, releaseJob } from '../platform/jobs/set-aside.ts';

export const listJobs = (_options: unknown, { config }: CommandContext) =>
  withEngine(config, ({ db }) => listJobsSetAside(db));

export const release = ({ id }: { id: string }, { config }: CommandContext) =>
  withEngine(config, async ({ db }) => {
    if (/^[0-9a-f-]{36}$/.test(id) && (await releaseJob(db, id))) return { released: id };
    throw new OperatorError(`No job ${id} is set aside: run "job list" to see all.`);
  });
