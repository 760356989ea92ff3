import { type ColumnField, requiredColumns } from '../../../../../src/domain/choices.ts';
import type { RosterTable } from '../../../../../src/features/roster/contract.ts';

export type Choice = ColumnField | 'ignore';

/** A table may have several columns of these, such as those of two leaves. */
const repeatable: readonly Choice[] = ['ignore', 'absenceStart', 'absenceEnd'];

export const suggestedChoices = ({ columns }: RosterTable): Choice[] => columns.map(({ field }) => field ?? 'ignore');

export const findMissing = (choices: readonly Choice[]) =>
  requiredColumns.filter((column) => !choices.includes(column as Choice)) as ColumnField[];

export const findRepeated = (choices: readonly Choice[]) =>
  [...new Set(choices)].filter(
    (one) => !repeatable.includes(one) && choices.indexOf(one) !== choices.lastIndexOf(one),
  ) as ColumnField[];

/** Returns whether a file can be read with these columns. */
export const isComplete = (choices: readonly Choice[]) =>
  findMissing(choices).length === 0 && findRepeated(choices).length === 0;

/** Returns whether nothing is left to ask: every column is known, and together they are complete. */
export const isKnown = (table: RosterTable) =>
  table.columns.every(({ source }) => source !== null) && isComplete(suggestedChoices(table));
