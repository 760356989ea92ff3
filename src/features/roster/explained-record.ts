import type { Message } from '../../domain/messages/message.ts';
import type { ExplainedRecord } from './contract.ts';
import { presentRecord } from './present.ts';
import type { SyncRecordRow } from './store.ts';

export function presentExplainedRecord(row: Omit<SyncRecordRow, 'id' | 'employee_exists'>): ExplainedRecord {
  const stored = row.reasons as { message?: Message }[];
  const { reasons, ...record } = presentRecord(row);
  return {
    ...record,
    message: row.message as Message | null,
    reasons: reasons.map((reason, index) => ({
      ...reason,
      message: stored[index]?.message ?? null,
    })),
  };
}
