import { isDeepStrictEqual } from 'node:util';
import { isEmailAddress } from '../../../domain/email-address.ts';
import type { HrIdAttribute } from '../../../domain/enums.ts';
import { formatMessage } from '../../../domain/messages/message.ts';
import { emailKey } from '../../../domain/search.ts';
import { findTextProblem } from '../../../domain/single-line-text.ts';
import { toDateText } from '../../connectors/rules/map-record.ts';
import { checkEntry, type RosterAbsence, type RosterEntry } from '../../roster/rules/entry.ts';
import { badRequest } from '../scim-error.ts';
import { enterpriseSchema, isObject, type Json, readName, transitSchema, userSchema } from './names.ts';

interface Email {
  value: string;
  type?: string;
  primary?: true;
}

/** What is stored of a user besides what has a column of its own. Null: the provider has removed a value. */
export interface UserDetails {
  givenName?: string;
  familyName?: string;
  displayName?: string;
  emails?: Email[];
  startDate?: string | null;
  terminationDate?: string | null;
  autoSyncEmployee?: boolean | null;
  absences?: RosterAbsence[];
  group?: string | null;
}

export interface ScimUser {
  userName: string;
  externalId: string | null;
  employeeNumber: string | null;
  active: boolean;
  details: UserDetails;
}

const maxText = 255;
const maxEmails = 20;
const maxAbsences = 1_000;

const invalid = (name: string, what: string) => badRequest('invalidValue', `\`${name}\` ${what}.`);

/** Returns the text, trimmed. Null, and empty text, mean that there is no value. */
function readText(object: Json, name: string, path = name): string | undefined {
  const value = readName(object, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') throw invalid(path, 'must be a text');
  const text = String(value).trim();
  if (text === '') return undefined;
  if (text.length > maxText) throw invalid(path, `must have at most ${maxText} characters`);
  const problem = findTextProblem(text);
  if (problem !== undefined) throw invalid(path, formatMessage(problem.message));
  return text;
}

/** Entra ID writes booleans as `"True"` and `"False"`. */
function readBoolean(object: Json, name: string, path = name): boolean | undefined {
  const value = readName(object, name);
  if (value === undefined || value === null || value === '') return undefined;
  const text = String(value).toLowerCase();
  if (text !== 'true' && text !== 'false') throw invalid(path, 'must be true or false');
  return text === 'true';
}

/** Reads a date. A time, as Entra ID sends it, counts in the time zone of the company. */
function readDate(object: Json, name: string, timeZone: string): string | undefined {
  const text = readText(object, name);
  return text === undefined ? undefined : toDateText(text, timeZone);
}

function readList(object: Json, name: string, limit: number): Json[] | undefined {
  const value = readName(object, name);
  if (value === undefined || value === null) return undefined;
  const all = Array.isArray(value) ? value : [value];
  if (all.length > limit) throw invalid(name, `must have at most ${limit} elements`);
  return all.map((one) => {
    if (isObject(one)) return one;
    if (typeof one === 'string') return { value: one };
    throw invalid(name, 'must be a list of objects');
  });
}

function readEmails(user: Json): Email[] | undefined {
  const emails = readList(user, 'emails', maxEmails)?.flatMap((one): Email[] => {
    const value = readText(one, 'value', 'emails.value');
    if (value === undefined) return [];
    const type = readText(one, 'type', 'emails.type');
    const isPrimary = readBoolean(one, 'primary', 'emails.primary');
    return [{ value, ...(type ? { type } : {}), ...(isPrimary ? { primary: true as const } : {}) }];
  });
  return emails?.length ? emails : undefined;
}

/** Reads what the roster does not have to be complete for: its rules check the entry that becomes of it. */
const readAbsences = (extension: Json, timeZone: string) =>
  readList(extension, 'absences', maxAbsences)?.map(
    (one): RosterAbsence => ({
      startDate: readDate(one, 'startDate', timeZone) ?? '',
      endDate: readDate(one, 'endDate', timeZone) ?? null,
      approved: readBoolean(one, 'approved') ?? true,
    }),
  );

function readExtension(user: Json, name: string): Json {
  const value = readName(user, name);
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw invalid(name, 'must be an object');
  return value;
}

type Cleared = 'startDate' | 'terminationDate' | 'autoSyncEmployee' | 'group';
const clearable: readonly Cleared[] = ['startDate', 'terminationDate', 'autoSyncEmployee', 'group'];

/**
 * Marks what the provider had set and does not send any more: the roster then clears it. What it never sent stays as it is
 * known from elsewhere.
 */
function markCleared(details: UserDetails, before: UserDetails | undefined): UserDetails {
  const marked: UserDetails = { ...details };
  for (const name of clearable) {
    if (marked[name] === undefined && before?.[name] !== undefined) marked[name] = null;
  }
  if (marked.absences === undefined && before?.absences !== undefined) marked.absences = [];
  return marked;
}

const withoutUndefined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;

/** Reads a user as a provider sends it. Attributes that the roster does not need are ignored. */
export function readUser(body: unknown, { before, timeZone }: { before?: ScimUser; timeZone: string }): ScimUser {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body is not a user. Send a JSON object.');
  const userName = readText(body, 'userName');
  if (userName === undefined) throw invalid('userName', 'is missing');
  const name = readExtension(body, 'name');
  const extension = readExtension(body, transitSchema);
  const details = withoutUndefined({
    givenName: readText(name, 'givenName', 'name.givenName'),
    familyName: readText(name, 'familyName', 'name.familyName'),
    displayName: readText(body, 'displayName'),
    emails: readEmails(body),
    startDate: readDate(extension, 'startDate', timeZone),
    terminationDate: readDate(extension, 'terminationDate', timeZone),
    autoSyncEmployee: readBoolean(extension, 'autoSyncEmployee'),
    absences: readAbsences(extension, timeZone),
    group: readText(extension, 'group'),
  }) as UserDetails;
  return {
    userName,
    externalId: readText(body, 'externalId') ?? null,
    employeeNumber: readText(readExtension(body, enterpriseSchema), 'employeeNumber') ?? null,
    active: readBoolean(body, 'active') ?? true,
    details: markCleared(details, before?.details),
  };
}

/** Returns the HR id: the attribute that the integration uses. Without an employee number, the external id. */
export const hrIdOf = ({ employeeNumber, externalId }: ScimUser, attribute: HrIdAttribute): string | null =>
  attribute === 'externalId' ? externalId : (employeeNumber ?? externalId);

/** Returns the address for the roster: the primary one, else that at work, else any, else the user name. */
function addressOf({ userName, details: { emails = [] } }: ScimUser): string | undefined {
  const chosen =
    emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type?.toLowerCase() === 'work') ?? emails[0];
  return chosen?.value ?? (isEmailAddress(userName) ? userName : undefined);
}

export const addressKeyOf = (user: ScimUser): string | null => {
  const address = addressOf(user);
  return address === undefined ? null : emailKey(address);
};

/** Returns the entry of the roster that a user stands for, unchecked. */
export function toEntry(user: ScimUser, attribute: HrIdAttribute): Partial<RosterEntry> {
  const { givenName, familyName, startDate, terminationDate, autoSyncEmployee, absences, group } = user.details;
  return withoutUndefined({
    hrId: hrIdOf(user, attribute) ?? undefined,
    firstName: givenName,
    lastName: familyName,
    email: addressOf(user),
    startDate,
    terminationDate,
    autoSyncEmployee,
    absences,
    group,
  }) as Partial<RosterEntry>;
}

const hrIdSources = {
  employeeNumber: `\`${enterpriseSchema}:employeeNumber\` or \`externalId\``,
  externalId: '`externalId`',
};

const placeOf = (pointer: string, attribute: HrIdAttribute): string => {
  const [field = '', ...rest] = pointer.split('/').slice(3);
  const names: Record<string, string> = {
    hrId: hrIdSources[attribute],
    firstName: '`name.givenName`',
    lastName: '`name.familyName`',
    email: '`emails` or `userName`',
  };
  return names[field] ?? `\`${transitSchema}:${[field, ...rest].join('/')}\``;
};

/** Throws if an active user could not be in a roster: one such entry would stop all others. */
export function assertUsable(user: ScimUser, attribute: HrIdAttribute, today: Temporal.PlainDate): void {
  const checked = checkEntry(toEntry(user, attribute), 0, today.toString());
  if (checked.isValid) return;
  const problems = checked.problems.map(({ pointer, detail }) => `${placeOf(pointer, attribute)} ${detail}`);
  throw badRequest('invalidValue', `An active user must be a complete employee: ${problems.slice(0, 5).join('; ')}.`);
}

/** Returns whether a change concerns the roster. Others are stored and start no sync. */
export function isSameEntry(one: ScimUser, other: ScimUser, attribute: HrIdAttribute): boolean {
  if (one.active !== other.active) return false;
  return !one.active || isDeepStrictEqual(toEntry(one, attribute), toEntry(other, attribute));
}

const present = (value: unknown) => value !== undefined && value !== null;

const withoutEmpty = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => present(value)));

/** Presents what is stored of a user, without id and meta. Attributes without a value are left out (RFC 7643, 2.5). */
export function presentDetails({ userName, externalId, employeeNumber, active, details }: ScimUser): Json {
  const { givenName, familyName, displayName, emails, absences, ...dates } = details;
  const formatted = [givenName, familyName].filter(present).join(' ') || undefined;
  const name = withoutEmpty({ givenName, familyName, formatted });
  const extension = withoutEmpty({ ...dates, absences: absences?.length ? absences.map(withoutEmptyEnd) : undefined });
  return withoutEmpty({
    schemas: [
      userSchema,
      ...(employeeNumber === null ? [] : [enterpriseSchema]),
      ...(Object.keys(extension).length === 0 ? [] : [transitSchema]),
    ],
    externalId,
    userName,
    name: Object.keys(name).length === 0 ? undefined : name,
    displayName,
    active,
    emails,
    [enterpriseSchema]: employeeNumber === null ? undefined : { employeeNumber },
    [transitSchema]: Object.keys(extension).length === 0 ? undefined : extension,
  });
}

const withoutEmptyEnd = (absence: RosterAbsence) => withoutEmpty({ ...absence });
