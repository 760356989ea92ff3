import { type Clock, todayIn } from '../../../platform/clock/clock.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/http/errors.ts';
import { presentTimestamp } from '../../../platform/http/view.ts';
import type { Batch } from './contract.ts';
import { findBatch, findUndoable, listRefusals } from './store.ts';

const unknown = { employees: 0, until: null };

/** Returns how far a batch is. Once it is finished, also for whom it was not possible, and until when it can be undone. */
export async function showBatch(
  { db, clock }: { db: Db; clock: Clock },
  { companyId, timeZone }: { companyId: CompanyId; timeZone: string },
  id: number,
): Promise<Batch> {
  const batch = await findBatch(db, companyId, id);
  if (batch === undefined) throw notFound('batch');
  const { finishedAt } = batch;
  const today = todayIn(clock, timeZone);
  const { employees, until } =
    finishedAt === null ? unknown : await findUndoable(db, companyId, { batchId: id, today });
  return {
    ...batch,
    finishedAt: finishedAt && presentTimestamp(finishedAt),
    refusals: finishedAt === null ? [] : await listRefusals(db, companyId, id),
    undo: until === null ? null : { employees, until },
  };
}
