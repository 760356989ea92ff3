import { createElement, type ReactNode } from 'react';
import type { JoiningWay } from '../../../../src/domain/enums.ts';
import type { Message } from '../../../../src/domain/messages/message.ts';
import type { ActivityEntry } from '../../../../src/features/activity/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { MessageText } from '../../ui/MessageText.tsx';
import { ChangeList } from '../../ui/records/records.tsx';
import { syncAddress } from '../../ui/text.tsx';
import { useIntegrations } from '../connectors/api.ts';
import { actions, fields, fieldValues } from './texts.ts';

/** Accepts any key, because the keys come from the log, which may contain more than the texts cover. */
type TranslateAny = (key: string, values?: Record<string, string | number>) => string;

/** Fields with text that users wrote, which must never be taken for a word of the API. */
const freeText = new Set(['name', 'previousName', 'email', 'hrId', 'reason']);

/** The words that occur as values of the log. Those of a later group take precedence. */
const wordGroups = [
  ...([
    'accessMethod',
    'role',
    'consentWay',
    'permission',
    'plan',
    'integrationType',
    'onboarding',
    'integrationStatus',
    'pullSchedule',
    'charge',
  ] as const),
  ...([
    'syncState',
    'subscriptionStatus',
    'payrollSystem',
    'personnelNumberRule',
    'taxTreatment',
    'eventType',
    'employeeMail',
  ] as const),
];

/** Returns a function that formats a value of the log for the user: words, dates and times. */
function useValueWords() {
  const words = useWords();
  const formats = useFormats();
  const { t } = useReader();
  const own = useTexts(fieldValues) as TranslateAny;
  const known: Record<string, string> = Object.assign({}, ...wordGroups.map((group) => words[group]));
  const one = (field: string, value: unknown): string => {
    if (value === null) return '–';
    if (value === Number.MAX_SAFE_INTEGER) return '–';
    if (typeof value === 'number')
      return /Id$|^wageType|^payroll|^sequence$|^year$|^order$/.test(field) ? String(value) : formats.number(value);
    if (typeof value !== 'string') return JSON.stringify(value);
    if (Object.hasOwn(fieldValues, `${field}.${value}`)) return own(`${field}.${value}`);
    if (freeText.has(field)) return value;
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return formats.date(value);
    if (/^\d{4}-\d\d$/.test(value)) return formats.month(value);
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formats.time(value);
    return known[value] ?? value;
  };
  return (field: string, value: unknown): string => {
    if (field.endsWith('Cents') && typeof value === 'number') return formats.money(value);
    if (field === 'joining') return words.joining[value as JoiningWay] ?? String(value);
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    return Array.isArray(value) ? value.map((item) => one(field, item)).join(', ') : one(field, value);
  };
}

/** Converts the name of a company setting, which the log stores as the database names it. */
const camelCase = (field: string) => field.replace(/_([a-z])/g, (_all, char: string) => char.toUpperCase());

/** Defines the order of the fields, because the database does not preserve one. */
const fieldOrder = Object.keys(fields);
const rankOf = (field: string) => (fieldOrder.includes(field) ? fieldOrder.indexOf(field) : fieldOrder.length);

const splitSync = (target: string) => {
  const slash = target.indexOf('/');
  return { integrationId: target.slice(0, slash), syncId: target.slice(slash + 1) };
};

/** Returns the address of the page about the entry's subject. */
export function addressOf({ action, target, detail }: ActivityEntry): string | undefined {
  if (target === null) return undefined;
  const [kind] = action.split('.');
  if (kind === 'key') return '/keys';
  if (kind === 'webhook') return action === 'webhook.delete' ? undefined : `/webhooks/${target}`;
  if (kind === 'integration') return action === 'integration.delete' ? undefined : `/integrations/${target}`;
  if (action === 'billing.export-payroll') return `/billing/${target}`;
  if (kind === 'payroll') return '/payroll';
  if (action === 'employee.erase') return undefined;
  if (kind === 'subscription' || kind === 'employee') return `/employees/${target}`;
  if (kind === 'document') return detail.employeeId == null ? undefined : `/employees/${detail.employeeId}`;
  if (kind !== 'sync') return undefined;
  const { integrationId, syncId } = splitSync(target);
  return syncAddress(Number(integrationId), syncId);
}

type WithoutHidden<K> = K extends `${infer Action}-hidden` ? Action : never;

/**
 * The field that an action's sentence names. An entry may lack it, because it is hidden from the user or was erased
 * with the employee.
 */
const namedFields: Record<WithoutHidden<keyof typeof actions>, string> = {
  'document.add': 'name',
  'employee.email-clash': 'holderId',
  'employee.link': 'hrId',
  'employee.unlink': 'hrId',
  'invitation.create': 'email',
  'invitation.revoke': 'email',
};

/**
 * Returns the suffix of the sentence for an entry that lacks the field that it would name, or the employee of a
 * document, or that has a special reason.
 */
function variantOf({ action, detail }: ActivityEntry): string {
  const named = (namedFields as Readonly<Record<string, string>>)[action];
  if (named !== undefined && detail[named] == null) return '-hidden';
  if (action === 'webhook.disable' && detail.reason !== 'manual') return `-${detail.reason}`;
  return action === 'document.add' && detail.employeeId == null ? '-company' : '';
}

/**
 * Returns `sentence`, which describes what was done, and `details`, which lists everything that the log contains about
 * it.
 */
export function useEntryWords() {
  const describeAction = useTexts(actions) as TranslateAny;
  const fieldName = useTexts(fields) as TranslateAny;
  const valueWords = useValueWords();
  const formats = useFormats();
  const integrations = useIntegrations().data;

  const namesOf = (entry: ActivityEntry): Record<string, string> => {
    const { action, target, detail, names } = entry;
    if (target === null) return {};
    // The sentence of a new or changed endpoint has the host in another place.
    const isNamedByDetail = action.startsWith('webhook.') && detail.host !== undefined;
    const integrationName = (id: string) => integrations?.find((one) => String(one.id) === id)?.name ?? id;
    const { integrationId, syncId } = splitSync(target);
    return {
      target: names.target === undefined || isNamedByDetail ? target : `${target} (${names.target})`,
      key: names.target ?? target,
      integration: integrationName(action.startsWith('sync.') ? integrationId : target),
      sync: syncId,
      ...(action === 'daily-run.finish' ? { date: formats.date(target) } : {}),
      ...(action === 'billing.export-payroll' ? { month: formats.month(target) } : {}),
    };
  };

  /**
   * Formats a value, with its name if it is an id. In a change of a setting, the values are formatted like that setting, such as an amount, and the
   * setting is given by its name.
   */
  const valueIn = ({ action, detail, names }: ActivityEntry, field: string, value: unknown): string => {
    if (names[field] !== undefined) return `${value} (${names[field]})`;
    if (action !== 'company.change-setting') return valueWords(field, value);
    return field === 'setting' ? fieldName(String(value)) : valueWords(String(detail.setting), value);
  };

  /** Renders a value of the list of details: changed fields, or a reason that the service gave in the user's language. */
  const renderIn = (entry: ActivityEntry, field: string, value: unknown): ReactNode => {
    if (field === 'changes' && Array.isArray(value)) return createElement(ChangeList, { changes: value });
    const message = field === 'reason' ? (entry.detail.message as Message | undefined) : undefined;
    if (message === undefined) return valueIn(entry, field, value);
    return createElement(MessageText, { message, detail: String(value) });
  };

  return {
    sentence(entry: ActivityEntry): string {
      const details = Object.entries(entry.detail).map(([field, value]) => [field, valueIn(entry, field, value)]);
      const count = entry.detail.removals ?? entry.detail.sessions ?? entry.detail.events ?? entry.detail.employees;
      return describeAction(`${entry.action}${variantOf(entry)}`, {
        ...Object.fromEntries(details),
        ...namesOf(entry),
        ...(typeof count === 'number' ? { count } : {}),
      });
    },
    details: (entry: ActivityEntry): (readonly [string, ReactNode])[] =>
      Object.entries(entry.detail)
        .filter(([name, value]) => value !== null && name !== 'message')
        .map(([name, value]) => [camelCase(name), value] as const)
        .sort(([a], [b]) => rankOf(a) - rankOf(b))
        .map(([field, value]) => [fieldName(field), renderIn(entry, field, value)] as const),
  };
}
