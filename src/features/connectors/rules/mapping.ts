import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { findNearestName } from '../../../domain/nearest-name.ts';
import type { Mapping } from '../pull/contract.ts';

/**
 * Rules that turn a record of an HR system into an entry of the roster. They are data: a company chooses them when it
 * connects its HR system. Attributes have the names that the HR system gives them. Values of `autoSyncEmployee` that are
 * in neither list mean null.
 */
export type { Mapping };
export type Condition = Mapping['include'][number];

export const requiredFields = ['hrId', 'firstName', 'lastName', 'email'] as const;
export const dateFields = ['dateOfBirth', 'startDate', 'terminationDate'] as const;
/** Mappings that were stored before the fields existed do not have `personnelNumber` and `group`. */
const optionalFields = [...dateFields, 'profileImage', 'personnelNumber', 'group'] as const;
export const mappedFields = [...requiredFields, ...optionalFields] as const;

export interface MappingProblem {
  path: string;
  message: Message;
}

const maxConditions = 20;
const maxValues = 200;
const maxLength = 500;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= maxLength;
const isTextList = (value: unknown, max = maxValues): value is string[] =>
  Array.isArray(value) && value.length <= max && value.every(isName);

const attributeRule = createMessage('mapping-attribute');
const valuesRule = createMessage('mapping-texts', { limit: maxValues });

class MappingCheck {
  readonly problems: MappingProblem[] = [];

  add(path: string, message: Message): undefined {
    this.problems.push({ path, message });
  }

  /** Returns the object at the path, and reports what it is not to contain. */
  open(value: unknown, path: string, known: readonly string[]): Record<string, unknown> | undefined {
    if (!isObject(value)) return this.add(path, createMessage('mapping-object'));
    for (const name of Object.keys(value).filter((one) => !known.includes(one))) {
      const nearest = findNearestName(name, known);
      const message =
        nearest === undefined
          ? createMessage('mapping-unknown', { names: known.join(', ') })
          : createMessage('mapping-misspelt', { nearest });
      this.add(path === '' ? name : `${path}.${name}`, message);
    }
    return value;
  }

  fields(value: unknown): void {
    const fields = this.open(value, 'fields', mappedFields);
    if (fields === undefined) return;
    for (const name of requiredFields) if (!isName(fields[name])) this.add(`fields.${name}`, attributeRule);
    for (const name of optionalFields) {
      const given = fields[name] ?? null;
      if (given !== null && !isName(given)) this.add(`fields.${name}`, createMessage('mapping-attribute-or-null'));
    }
  }

  include(value: unknown): void {
    const isList = Array.isArray(value) && value.length <= maxConditions;
    if (!isList) this.add('include', createMessage('mapping-conditions', { limit: maxConditions }));
    else for (const [index, one] of value.entries()) this.condition(one, `include.${index}`);
  }

  condition(value: unknown, path: string): void {
    const condition = this.open(value, path, ['attribute', 'is', 'values']);
    if (condition === undefined) return;
    if (!isName(condition.attribute)) this.add(`${path}.attribute`, attributeRule);
    if (condition.is === 'present' || condition.is === 'empty') {
      if (condition.values !== undefined) this.add(`${path}.values`, createMessage('mapping-no-values'));
    } else if (condition.is !== 'one-of' && condition.is !== 'none-of') {
      this.add(`${path}.is`, createMessage('mapping-is'));
    } else if (!isTextList(condition.values) || condition.values.length === 0) {
      this.add(`${path}.values`, createMessage('mapping-some-texts', { limit: maxValues }));
    }
  }

  autoSync(value: unknown): void {
    if (value === null) return;
    const rule = this.open(value, 'autoSyncEmployee', ['attribute', 'yes', 'no']);
    if (rule === undefined) return;
    if (!isName(rule.attribute)) this.add('autoSyncEmployee.attribute', attributeRule);
    for (const name of ['yes', 'no']) {
      if (!isTextList(rule[name])) this.add(`autoSyncEmployee.${name}`, valuesRule);
    }
    if (!isTextList(rule.yes) || !isTextList(rule.no)) return;
    const refused = new Set(rule.no.map(foldValue));
    const both = rule.yes.find((text) => refused.has(foldValue(text)));
    if (both !== undefined) this.add('autoSyncEmployee.no', createMessage('mapping-both', { text: both }));
  }

  absences(value: unknown): void {
    if (value === null) return;
    const absences = this.open(value, 'absences', ['types']);
    if (absences === undefined || absences.types === 'all') return;
    if (!isTextList(absences.types)) this.add('absences.types', createMessage('mapping-absence-types'));
  }
}

/** Values of attributes are compared without case and surrounding white space. */
export const foldValue = (value: string) => value.trim().toLowerCase();

/** Returns the mapping, completed from `defaults`, or everything that is wrong with it. */
export function checkMapping(value: unknown, defaults: Mapping): Mapping | MappingProblem[] {
  const check = new MappingCheck();
  const given = check.open(value, '', [
    'fields',
    'include',
    'autoSyncEmployee',
    'absences',
    ...(defaults.requests === undefined ? [] : ['requests']),
  ]);
  if (given === undefined) return check.problems;
  const fields = isObject(given.fields) ? { ...defaults.fields, ...given.fields } : (given.fields ?? defaults.fields);
  const {
    include = defaults.include,
    autoSyncEmployee = defaults.autoSyncEmployee,
    absences = defaults.absences,
  } = given;
  check.fields(fields);
  check.include(include);
  check.autoSync(autoSyncEmployee);
  check.absences(absences);
  if (check.problems.length > 0) return check.problems;
  const requests = given.requests ?? defaults.requests;
  return { fields, include, autoSyncEmployee, absences, ...(requests ? { requests } : {}) } as Mapping;
}

/** The attributes of each mapping. They are looked up for every record. */
const knownAttributes = new WeakMap<Mapping, readonly string[]>();

function findAttributes({ fields, include, autoSyncEmployee }: Mapping): readonly string[] {
  const named = mappedFields.flatMap((field) => fields[field] ?? []);
  const rules = include.map(({ attribute }) => attribute);
  return [...new Set([...named, ...rules, ...(autoSyncEmployee ? [autoSyncEmployee.attribute] : [])])];
}

export const listAttributes = (mapping: Mapping): readonly string[] =>
  knownAttributes.getOrInsertComputed(mapping, findAttributes);
