import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Day } from '../../domain/calendar.ts';
import type { Message } from '../../domain/messages/message.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Integration } from '../companies/companies.ts';
import { describeSource, type Source } from '../connectors/rules/map-record.ts';
import type { PlannedRecord } from './plan.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Where values of a pulled roster come from, by HR id. */
export type Explanations = ReadonlyMap<string, readonly Source[]>;

const noExplanations: Explanations = new Map();

type Line = [hrId: string, ...sources: [field: Source['field'], attribute: string, value: string][]];

export function packExplanations(explanations: Explanations): Promise<Buffer> {
  const lines = [...explanations].map(
    ([hrId, sources]): Line => [
      hrId,
      ...sources.map(({ field, attribute, value }): [Source['field'], string, string] => [field, attribute, value]),
    ],
  );
  return compress(lines.map((line) => JSON.stringify(line)).join('\n'));
}

async function unpackExplanations(packed: Buffer): Promise<Explanations> {
  const text = (await decompress(packed)).toString();
  if (text === '') return noExplanations;
  return new Map(
    text.split('\n').map((line) => {
      const [hrId, ...sources] = JSON.parse(line) as Line;
      return [hrId, sources.map(([field, attribute, value]) => ({ field, attribute, value }))];
    }),
  );
}

export async function loadExplanations(
  tx: Tx,
  { companyId, hrIntegrationId }: Integration,
  syncId: string,
): Promise<Explanations> {
  const row = await tx
    .selectFrom('pulls as p')
    .select('p.explanations')
    .where(ofCompany(companyId, 'p'))
    .where('p.hr_integration_id', '=', hrIntegrationId)
    .where('p.sync_id', '=', syncId)
    .where('p.explanations', 'is not', null)
    .executeTakeFirst();
  return row?.explanations ? unpackExplanations(row.explanations) : noExplanations;
}

/** Deletes the explanations of a sync that has its outcome: its records contain those that matter. */
export async function deleteExplanations(
  tx: Tx,
  { companyId, hrIntegrationId }: Integration,
  syncId: string,
): Promise<void> {
  await tx
    .updateTable('pulls as p')
    .set({ explanations: null })
    .where(ofCompany(companyId, 'p'))
    .where('p.hr_integration_id', '=', hrIntegrationId)
    .where('p.sync_id', '=', syncId)
    .where('p.explanations', 'is not', null)
    .execute();
}

export interface RecordReason {
  cause: string;
  rule: string;
  detail: string;
  message: Message;
  effectiveAt: string;
}

/** Returns why the HR system's data led to this record: only what the record changes is explained. */
export function explainRecord(record: PlannedRecord, explanations: Explanations, today: Day): RecordReason[] {
  const sources = explanations.get(record.hrId) ?? [];
  const changed = new Set<string>(record.plan?.changes.map(({ field }) => field));
  const isAbsent = record.entryHash === null && record.outcome !== 'failed';
  return sources
    .filter(({ field }) => (field === 'included' ? isAbsent : !isAbsent && changed.has(field)))
    .map((source) => ({
      cause: 'hr-system',
      ...describeSource(source),
      effectiveAt: today.toString(),
    }));
}
