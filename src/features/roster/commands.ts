import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { withEngine } from '../command-context.ts';
import { decidePendingRemovals } from './pending-removals.ts';

interface DecideOptions {
  company: CompanyId;
  integration: number;
  sync: string;
}

const decideRemovals =
  (decision: 'approved' | 'rejected') =>
  ({ company, integration, sync: syncId }: DecideOptions, { config }: CommandContext) =>
    withEngine(config, async ({ db, ...deps }) => {
      const target = { companyId: company, hrIntegrationId: integration };
      const decided = await decidePendingRemovals(db, deps, target, { syncId, decision });
      if (decided === undefined) {
        throw new OperatorError(`Sync "${syncId}" has no pending removals: a newer sync may have replaced them.`);
      }
      return { syncId, decision, ...decided };
    });

export const approveRemovals = decideRemovals('approved');
export const rejectRemovals = decideRemovals('rejected');
