import { decidePendingRemovals } from '../hr-integrations/sync/pending-removals.ts';
import { OperatorError } from '../operator-error.ts';
import { type Command, withEngine } from './command.ts';

const decide = (word: string, decision: 'approved' | 'rejected'): Command => ({
  usage: `sync ${word} --company ID --integration ID --sync SYNCID`,
  run: async (args, config) => {
    const target = { companyId: args.companyId(), hrIntegrationId: args.id('integration') };
    const syncId = args.text('sync');
    return withEngine(config, async ({ db, ...deps }) => {
      const settled = await decidePendingRemovals(db, deps, target, { syncId, decision });
      if (settled === undefined) {
        throw new OperatorError(`Sync "${syncId}" holds no removals; a newer sync may have replaced them.`);
      }
      return { syncId, decision, ...settled };
    });
  },
});

export const syncApprove = decide('approve', 'approved');
export const syncReject = decide('reject', 'rejected');
