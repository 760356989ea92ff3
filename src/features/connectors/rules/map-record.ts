import { readDate } from '../../../platform/table/read-date.ts';
import type { Source } from '../../roster/rules/source.ts';
import {
  type Condition,
  dateFields,
  foldValue,
  listAttributes,
  type Mapping,
  mappedFields,
  requiredFields,
} from './mapping.ts';

/** What an HR system may say about an attribute. Absent: it withholds the attribute. Null: there is no value. */
export type AttributeValue = string | number | boolean | null;

export interface ProviderAbsence {
  /** The id of its type in the HR system, and what people call it there. */
  typeId: string;
  typeName: string | null;
  startDate: string;
  endDate: string | null;
  approved: boolean;
}

/** One employee as an HR system describes them, in the same form for all of them. */
export interface ProviderRecord {
  attributes: Readonly<Record<string, AttributeValue | undefined>>;
  /** Undefined: absences were not read. */
  absences?: readonly ProviderAbsence[];
}

export type MappedRecord =
  /** An entry as a roster contains it. It is still to be checked like any other. */
  | { kind: 'entry'; hrId: string; entry: Record<string, unknown>; sources: Source[] }
  | { kind: 'excluded'; hrId: string; sources: Source[] }
  /** The HR system left out attributes that the mapping reads. */
  | { kind: 'withheld'; attributes: string[] };

const textOf = (value: AttributeValue | undefined): string | null =>
  value === null || value === undefined || String(value).trim() === '' ? null : String(value).trim();

const showValue = (value: AttributeValue | undefined) => textOf(value)?.slice(0, 100) ?? 'empty';

/** A time in UTC that is not midnight begins a day elsewhere, so it counts in the company's time zone. */
export function toDateText(text: string, timeZone: string): string {
  const [date, rest] = [text.slice(0, 10), text.slice(10)];
  const isUtc = /^T.*Z$/i.test(rest) && !/^T00:00(:00(\.0+)?)?Z$/i.test(rest);
  if (!isUtc) return /^(T|\s|$)/i.test(rest) ? date : text;
  try {
    return Temporal.Instant.from(text).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  } catch {
    return text;
  }
}

function holds(condition: Condition, value: AttributeValue | undefined): boolean {
  const text = textOf(value);
  if (condition.is === 'present') return text !== null;
  if (condition.is === 'empty') return text === null;
  const isListed = text !== null && condition.values?.some((one) => foldValue(one) === foldValue(text));
  return condition.is === 'one-of' ? isListed === true : !isListed;
}

function mapAutoSync({ autoSyncEmployee: rule }: Mapping, { attributes }: ProviderRecord): boolean | null | undefined {
  if (rule === null) return undefined;
  const text = textOf(attributes[rule.attribute]);
  if (text === null) return null;
  const isOneOf = (values: string[]) => values.some((one) => foldValue(one) === foldValue(text));
  if (isOneOf(rule.yes)) return true;
  return isOneOf(rule.no) ? false : null;
}

const countedAbsences = ({ absences: rule }: Mapping, { absences }: ProviderRecord) =>
  rule === null
    ? undefined
    : absences?.filter(({ typeId }) => rule.types === 'all' || rule.types.includes(typeId)).toSorted(byStart);

const byStart = (a: ProviderAbsence, b: ProviderAbsence) =>
  a.startDate.localeCompare(b.startDate) || (a.endDate ?? '9999').localeCompare(b.endDate ?? '9999');

export function mapRecord(record: ProviderRecord, mapping: Mapping, timeZone: string): MappedRecord {
  const { attributes } = record;
  const withheld = listAttributes(mapping).filter((name) => attributes[name] === undefined);
  if (withheld.length > 0) return { kind: 'withheld', attributes: withheld };
  const hrId = textOf(attributes[mapping.fields.hrId]) ?? '';
  const failing = mapping.include.find((condition) => !holds(condition, attributes[condition.attribute]));
  if (failing !== undefined) {
    const { attribute } = failing;
    return {
      kind: 'excluded',
      hrId,
      sources: [{ field: 'included', attribute, value: showValue(attributes[attribute]) }],
    };
  }
  const entry: Record<string, unknown> = {};
  for (const field of mappedFields) {
    const attribute = mapping.fields[field] ?? null;
    if (attribute === null) continue;
    const text = textOf(attributes[attribute]);
    const isDate = (dateFields as readonly string[]).includes(field);
    // A required field without a value is left out, which the check of entries reports as missing.
    if (text === null && (requiredFields as readonly string[]).includes(field)) continue;
    entry[field] = text !== null && isDate ? readDate(toDateText(text, timeZone)) : text;
  }
  const autoSync = mapAutoSync(mapping, record);
  if (autoSync !== undefined) entry.autoSyncEmployee = autoSync;
  const absences = countedAbsences(mapping, record);
  if (absences !== undefined) {
    entry.absences = absences.map(({ startDate, endDate, approved }) => ({ startDate, endDate, approved }));
  }
  return { kind: 'entry', hrId, entry, sources: listSources(mapping, entry, attributes, absences ?? []) };
}

function listSources(
  { fields, autoSyncEmployee }: Mapping,
  entry: Record<string, unknown>,
  attributes: ProviderRecord['attributes'],
  absences: readonly ProviderAbsence[],
): Source[] {
  const sources: Source[] = [];
  if (fields.terminationDate !== null && entry.terminationDate) {
    sources.push({ field: 'terminationDate', attribute: fields.terminationDate, value: String(entry.terminationDate) });
  }
  if (autoSyncEmployee !== null && typeof entry.autoSyncEmployee === 'boolean') {
    const { attribute } = autoSyncEmployee;
    sources.push({ field: 'autoSyncEmployee', attribute, value: showValue(attributes[attribute]) });
  }
  // An id says nothing to people, so a type without a name has none here.
  const types = new Set(absences.map(({ typeName }) => typeName ?? ''));
  for (const name of types) sources.push({ field: 'absences', attribute: 'absence type', value: name.slice(0, 100) });
  return sources;
}
