import { createMessage } from '../../../domain/messages/message.ts';
import type { AttributeValue, ProviderRecord } from '../rules/map-record.ts';
import { toDateText } from '../rules/map-record.ts';
import { listAttributes, type Mapping } from '../rules/mapping.ts';
import { type AbsencesByPerson, type BasicApi, createBasicApi, takeBody, today } from './basic-api.ts';
import type {
  Connection,
  ConnectionProblem,
  Connector,
  Credentials,
  Description,
  OpenOptions,
  ReadPage,
  ReadRequest,
} from './connector.ts';
import { incompleteFrom } from './connector-error.ts';
import { isRecord, textAt, toAttributeValue, valueAt } from './json-value.ts';

/**
 * Reads all employees of HiBob with one request, because its search has no pages, and absences with another. Fields that
 * the service user may not read are silently left out. Leavers are hidden unless they are asked for.
 */

const title = 'HiBob';
const permissions = {
  employees: { what: "People's data", message: createMessage('hibob-employees') },
  absences: { what: "Time off: who's out", message: createMessage('hibob-absences') },
};

const defaultMapping: Mapping = {
  fields: {
    hrId: 'root.id',
    firstName: 'root.firstName',
    lastName: 'root.surname',
    email: 'root.email',
    dateOfBirth: null,
    startDate: 'work.startDate',
    terminationDate: 'internal.terminationDate',
    profileImage: null,
    personnelNumber: null,
  },
  include: [{ attribute: 'internal.status', is: 'none-of', values: ['inactive', 'terminated'] }],
  autoSyncEmployee: null,
  absences: { types: 'all' },
};

const incomplete = incompleteFrom(title);

/**
 * Returns the value of a field, or undefined if HiBob left it out. HiBob answers with paths and values
 * (`"/work/startDate": {"value": …}`), or as nested objects, with the fields of `root` at the top.
 */
function fieldOf(record: Record<string, unknown>, name: string): AttributeValue | undefined {
  const parts = name.split('.');
  const byPath = record[`/${parts.join('/')}`];
  if (byPath !== undefined) return toAttributeValue(isRecord(byPath) && 'value' in byPath ? byPath.value : byPath);
  const found = valueAt(record, ...parts) ?? (parts[0] === 'root' ? valueAt(record, ...parts.slice(1)) : undefined);
  if (found !== undefined) return toAttributeValue(found);
  return isListedAsNull(record, parts) ? null : undefined;
}

const isListedAsNull = (record: Record<string, unknown>, parts: string[]) =>
  [parts, ...(parts[0] === 'root' ? [parts.slice(1)] : [])].some((path) => {
    const holder = path.length === 1 ? record : valueAt(record, ...path.slice(0, -1));
    return isRecord(holder) && (path.at(-1) ?? '') in holder;
  });

async function searchPeople(api: BasicApi, fields: readonly string[]): Promise<Record<string, unknown>[]> {
  const response = await api.post('/v1/people/search', { fields, showInactive: true });
  const employees = valueAt(takeBody(title, response, permissions.employees), 'employees');
  if (!Array.isArray(employees)) throw incomplete('incomplete-no-employees');
  if (!employees.every(isRecord)) throw incomplete('incomplete-no-employee');
  return employees;
}

/**
 * Returns the records with the fields that were asked for. HiBob leaves out fields without a value as well as fields
 * that the service user may not read, so a field that one record has is empty in those that lack it.
 */
function toRecords(found: Record<string, unknown>[], fields: readonly string[]): ProviderRecord['attributes'][] {
  const rows = found.map((record) => fields.map((name) => fieldOf(record, name)));
  const isReleased = fields.map((_, index) => rows.some((row) => row[index] !== undefined));
  return rows.map((row) =>
    Object.fromEntries(fields.map((name, index) => [name, isReleased[index] ? (row[index] ?? null) : undefined])),
  );
}

/** Only absences of whole days pause a month. */
const wholeDayTypes = ['days', 'openEnded'];

const absencesPath = ({ from, to }: NonNullable<ReadRequest['absences']>) =>
  `/v1/timeoff/whosout?${new URLSearchParams({ from: String(from), to: String(to), includeHourly: 'false', includePrivate: 'true', includePending: 'false' })}`;

async function listOuts(api: BasicApi, range: NonNullable<ReadRequest['absences']>): Promise<unknown[]> {
  const outs = valueAt(takeBody(title, await api.get(absencesPath(range)), permissions.absences), 'outs');
  if (!Array.isArray(outs)) throw incomplete('incomplete-no-absences');
  return outs;
}

async function readAbsences(api: BasicApi, range: NonNullable<ReadRequest['absences']>, timeZone: string) {
  const byPerson: AbsencesByPerson = new Map();
  for (const out of await listOuts(api, range)) {
    const type = textAt(out, 'requestRangeType') ?? textAt(out, 'type') ?? 'days';
    if (!wholeDayTypes.includes(type)) continue;
    const personId = textAt(out, 'employeeId');
    const start = textAt(out, 'startDate');
    if (personId === undefined || start === undefined) throw incomplete('incomplete-absence-start');
    const end = type === 'openEnded' ? undefined : textAt(out, 'endDate');
    if (end === undefined && type !== 'openEnded') throw incomplete('incomplete-absence-end');
    const name = textAt(out, 'policyTypeDisplayName') ?? null;
    byPerson
      .getOrInsertComputed(personId, () => [])
      .push({
        typeId: name ?? '',
        typeName: name,
        startDate: toDateText(start, timeZone),
        endDate: end === undefined ? null : toDateText(end, timeZone),
        approved: (textAt(out, 'status') ?? 'approved').toLowerCase() === 'approved',
      });
  }
  return byPerson;
}

async function findProblems(api: BasicApi, mapping: Mapping): Promise<ConnectionProblem[]> {
  const problems: ConnectionProblem[] = [];
  const fields = listAttributes(mapping);
  const response = await api.post('/v1/people/search', { fields, showInactive: true });
  if (response.status === 403) problems.push({ code: 'permission-missing', ...permissions.employees });
  else {
    const employees = valueAt(takeBody(title, response, permissions.employees), 'employees');
    const found = Array.isArray(employees) ? employees.filter(isRecord) : [];
    if (found.length === 0) {
      problems.push({ code: 'no-employees', what: null, message: createMessage('hibob-nobody') });
    } else {
      const [first = {}] = toRecords(found, fields);
      for (const name of fields.filter((one) => first[one] === undefined)) {
        problems.push({ code: 'attribute-withheld', what: name, message: createMessage('hibob-attribute', { name }) });
      }
    }
  }
  if (mapping.absences === null) return problems;
  const absences = await api.get(absencesPath({ from: today(), to: today() }));
  if (absences.status === 403) problems.push({ code: 'permission-missing', ...permissions.absences });
  else takeBody(title, absences, permissions.absences);
  return problems;
}

async function describeFields(api: BasicApi): Promise<Description['fields']> {
  const body = takeBody(title, await api.get('/v1/company/people/fields'), permissions.employees);
  if (!Array.isArray(body)) throw incomplete('incomplete-no-fields');
  return body.flatMap((field) => {
    const name = textAt(field, 'id');
    return name === undefined
      ? []
      : [{ name, label: textAt(field, 'name') ?? name, type: textAt(field, 'type') ?? null }];
  });
}

/** Absences name their type by what people call it, so the name is its id. */
async function describeAbsenceTypes(api: BasicApi): Promise<Description['absenceTypes']> {
  const response = await api.get('/v1/timeoff/policy-types');
  const listed = response.status === 200 ? valueAt(response.body, 'policyTypes') : undefined;
  const names = Array.isArray(listed)
    ? listed.map((one) => (typeof one === 'string' ? one : textAt(one, 'name')))
    : (await listOuts(api, { from: today().subtract({ months: 3 }), to: today().add({ months: 3 }) })).map((out) =>
        textAt(out, 'policyTypeDisplayName'),
      );
  return [...new Set(names.filter((name) => name !== undefined))].map((name) => ({ id: name, name }));
}

function open({ serviceUserId, token }: Credentials, options: OpenOptions): Connection {
  const user = { user: String(serviceUserId), password: String(token), remedy: createMessage('hibob-refused') };
  const api = createBasicApi({ title, origin: options.origin ?? hibob.origin, ...user }, options);

  async function* read({ attributes, absences }: ReadRequest): AsyncGenerator<ReadPage> {
    const byPerson = absences === null ? undefined : await readAbsences(api, absences, options.timeZone);
    const fields = [...new Set(['root.id', ...attributes])];
    const records = toRecords(await searchPeople(api, fields), fields);
    const seen = new Set<string>();
    for (const record of records) {
      const id = record['root.id'];
      if (id === undefined || id === null) throw incomplete('incomplete-no-id');
      if (seen.has(String(id))) throw incomplete('incomplete-twice');
      seen.add(String(id));
    }
    yield {
      total: records.length,
      records: records.map((record) => ({
        attributes: record,
        ...(byPerson === undefined ? {} : { absences: byPerson.get(String(record['root.id'])) ?? [] }),
      })),
    };
  }

  return {
    check: (mapping) => findProblems(api, mapping),
    async describe() {
      return { fields: await describeFields(api), absenceTypes: await describeAbsenceTypes(api) };
    },
    read,
    close: api.close,
  };
}

export const hibob = {
  provider: 'hibob',
  title,
  origin: 'https://api.hibob.com',
  credentialFields: [
    { name: 'serviceUserId', isSecret: false },
    { name: 'token', isSecret: true },
  ],
  defaultMapping,
  open,
} as const satisfies Connector;
