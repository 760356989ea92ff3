import type { EntryWarning, WarningCode } from './fields.ts';

/** A probable mistake in a roster, reported once for all entries that have it. */
export interface RosterWarning {
  code: WarningCode;
  field: string;
  /** The number of entries concerned. A field of list items counts once per item that has it. */
  count: number;
  pointer: string;
  hrId: string | null;
  /** The entries, up to a limit. Unknown fields concern the file rather than an employee, and list none. */
  records: { hrId: string | null; pointer: string }[];
}

const maxRecords = 100;
const maxUnknownFields = 50;
/** Stands for the unknown fields beyond the limit. */
const otherFields = '*';

/** Collects the warnings of a roster while it is read. Its size is bounded for every roster. */
export class RosterWarnings {
  readonly #byKey = new Map<string, RosterWarning>();

  add({ code, field, pointer }: EntryWarning, hrId: string | null): void {
    const warning = this.#find(code, field, pointer, hrId);
    warning.count++;
    if (code !== 'unknown-field' && warning.records.length < maxRecords) warning.records.push({ hrId, pointer });
  }

  toList(): RosterWarning[] {
    return [...this.#byKey.values()];
  }

  #find(code: WarningCode, field: string, pointer: string, hrId: string | null): RosterWarning {
    const key = `${code} ${field}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const isFull = code === 'unknown-field' && field !== otherFields && this.#byKey.size >= maxUnknownFields;
    if (isFull) return this.#find(code, otherFields, pointer, hrId);
    const warning: RosterWarning = { code, field, count: 0, pointer, hrId, records: [] };
    this.#byKey.set(key, warning);
    return warning;
  }
}

const details: Record<WarningCode, string> = {
  'unknown-field': 'The field is unknown and was ignored.',
  'left-out': 'The row has errors and was left out. The employee stays as they are.',
  'born-in-the-future': 'The date of birth is in the future.',
  'starts-after-termination': 'The employment starts after it ends.',
  'starts-before-birth': 'The employment starts before the date of birth.',
  'terminated-before-birth': 'The employment ends before the date of birth.',
};

export const describeWarning = ({ code, field }: Pick<RosterWarning, 'code' | 'field'>): string =>
  code === 'unknown-field' && field === otherFields ? 'Further fields are unknown and were ignored.' : details[code];
