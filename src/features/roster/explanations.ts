import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { Message } from '../../domain/messages/message.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Integration, ofIntegration } from '../companies/companies.ts';
import type { PlannedRecord } from './plan.ts';
import { compress, decompress } from './roster-parts.ts';
import { describeSource, type Source } from './rules/source.ts';

/** Where values of a pulled roster come from, by HR id. */
export type Explanations = ReadonlyMap<string, readonly Source[]>;

const noExplanations: Explanations = new Map();

type Line = [hrId: string, ...sources: [field: Source['field'], attribute: string, value: string][]];

export function packExplanations(explanations: Explanations): Promise<Buffer> {
  const lines = Array.from(explanations, ([hrId, sources]) =>
    JSON.stringify([hrId, ...sources.map(({ field, attribute, value }) => [field, attribute, value])]),
  );
  return compress(lines.join('\n'));
}

async function unpackExplanations(packed: Buffer): Promise<Explanations> {
  const lines = (await decompress(packed)).toString().split('\n');
  const rows = lines.filter((line) => line !== '').map((line): Line => JSON.parse(line));
  return new Map(
    rows.map(([hrId, ...sources]) => [hrId, sources.map(([field, attribute, value]) => ({ field, attribute, value }))]),
  );
}

const ofSync = (target: Integration, syncId: string) =>
  sql<boolean>`${ofIntegration(target, 'p')} and p.sync_id = ${syncId} and p.explanations is not null`;

/** Returns no explanations if the sync was not pulled. */
export async function loadExplanations(tx: Tx, target: Integration, syncId: string): Promise<Explanations> {
  const { rows } = await sql<{ explanations: Buffer }>`
    select p.explanations from pulls p where ${ofSync(target, syncId)}`.execute(tx);
  return rows[0] ? unpackExplanations(rows[0].explanations) : noExplanations;
}

/** Deletes the explanations of a sync that has its outcome: its records contain those that matter. */
export async function deleteExplanations(tx: Tx, target: Integration, syncId: string): Promise<void> {
  await sql`update pulls p set explanations = null where ${ofSync(target, syncId)}`.execute(tx);
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
    .map((source) => ({ cause: 'hr-system', ...describeSource(source), effectiveAt: today.toString() }));
}
