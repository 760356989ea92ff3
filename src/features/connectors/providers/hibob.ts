import { createMessage } from '../../../domain/messages/message.ts';
import { type AttributeValue, type ProviderRecord, toDateText } from '../rules/map-record.ts';
import {
  type ApiTerms,
  createApiConnection,
  createBasicRequests,
  createDefaultMapping,
  describeFields,
  type Range,
  rangeAround,
  takeBody,
} from './api-connection.ts';
import { type Connection, type Connector, type Credentials, incompleteFrom, type OpenOptions } from './connector.ts';
import { isRecord, type JsonResponse, textAt, toAttributeValue, valueAt } from './http-client.ts';

/**
 * Reads all employees of HiBob with one request, because its search has no pages, and absences with another. Fields that
 * the service user may not read are silently left out. Leavers are hidden unless they are asked for.
 */

const terms: ApiTerms = {
  title: 'HiBob',
  id: 'root.id',
  permissions: {
    employees: { what: "People's data", message: createMessage('hibob-employees') },
    absences: { what: "Time off: who's out", message: createMessage('hibob-absences') },
  },
  nobody: createMessage('hibob-nobody'),
  twice: 'incomplete-twice',
  describeWithheld: (name) => createMessage('hibob-attribute', { name }),
};

const incomplete = incompleteFrom(terms.title);

/**
 * Returns the value of a field, or undefined if HiBob left it out. HiBob answers with paths and values
 * (`"/work/startDate": {"value": …}`), or with nested objects, in which the fields of `root` are at the top level.
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

function readOut(out: unknown, timeZone: string) {
  const type = textAt(out, 'requestRangeType') ?? textAt(out, 'type') ?? 'days';
  if (!wholeDayTypes.includes(type)) return undefined;
  const personId = textAt(out, 'employeeId');
  const start = textAt(out, 'startDate');
  if (personId === undefined || start === undefined) throw incomplete('incomplete-absence-start');
  const end = type === 'openEnded' ? undefined : textAt(out, 'endDate');
  if (end === undefined && type !== 'openEnded') throw incomplete('incomplete-absence-end');
  const name = textAt(out, 'policyTypeDisplayName') ?? null;
  return {
    personId,
    typeId: name ?? '',
    typeName: name,
    startDate: toDateText(start, timeZone),
    endDate: end === undefined ? null : toDateText(end, timeZone),
    approved: (textAt(out, 'status') ?? 'approved').toLowerCase() === 'approved',
  };
}

function open({ serviceUserId, token }: Credentials, options: OpenOptions): Connection {
  const user = { user: String(serviceUserId), password: String(token), remedy: createMessage('hibob-refused') };
  const origin = options.origin ?? hibob.origin;
  const { get, post, close } = createBasicRequests({ title: terms.title, origin, ...user }, options);
  const search = (fields: readonly string[]) => post('/v1/people/search', { fields, showInactive: true });
  const filters = { includeHourly: 'false', includePrivate: 'true', includePending: 'false' };
  const requestOuts = (range: Range) => get(`/v1/timeoff/whosout?${new URLSearchParams({ ...range, ...filters })}`);

  async function listOuts(range: Range): Promise<unknown[]> {
    const outs = valueAt(takeBody(terms, await requestOuts(range), 'absences'), 'outs');
    if (!Array.isArray(outs)) throw incomplete('incomplete-no-absences');
    return outs;
  }

  /** Absences name their type by what people call it, so the name is its id. */
  async function listAbsenceTypes() {
    const response: JsonResponse = await get('/v1/timeoff/policy-types');
    const listed = response.status === 200 ? valueAt(response.body, 'policyTypes') : undefined;
    const names = Array.isArray(listed)
      ? listed.map((one) => (typeof one === 'string' ? one : textAt(one, 'name')))
      : (await listOuts(rangeAround(3))).map((out) => textAt(out, 'policyTypeDisplayName'));
    return [...new Set(names.filter((name) => name !== undefined))].map((name) => ({ id: name, name }));
  }

  return createApiConnection(terms, {
    tryEmployees: search,
    readTried(body, fields) {
      const employees = valueAt(body, 'employees');
      return toRecords(Array.isArray(employees) ? employees.filter(isRecord) : [], fields)[0];
    },
    tryAbsences: requestOuts,
    async *readEmployees(fields) {
      const employees = valueAt(takeBody(terms, await search(fields), 'employees'), 'employees');
      if (!Array.isArray(employees)) throw incomplete('incomplete-no-employees');
      if (!employees.every(isRecord)) throw incomplete('incomplete-no-employee');
      yield { records: toRecords(employees, fields), total: employees.length };
    },
    async *readAbsences(range) {
      for (const out of await listOuts(range)) {
        const absence = readOut(out, options.timeZone);
        if (absence !== undefined) yield absence;
      }
    },
    async describe() {
      const fields = takeBody(terms, await get('/v1/company/people/fields'), 'employees');
      if (!Array.isArray(fields)) throw incomplete('incomplete-no-fields');
      return { fields: describeFields(fields, 'id'), absenceTypes: await listAbsenceTypes() };
    },
    close,
  });
}

export const hibob = {
  provider: 'hibob',
  title: terms.title,
  origin: 'https://api.hibob.com',
  credentialFields: [
    { name: 'serviceUserId', isSecret: false },
    { name: 'token', isSecret: true },
  ],
  defaultMapping: createDefaultMapping(
    {
      hrId: 'root.id',
      firstName: 'root.firstName',
      lastName: 'root.surname',
      email: 'root.email',
      startDate: 'work.startDate',
      terminationDate: 'internal.terminationDate',
    },
    [{ attribute: 'internal.status', is: 'none-of', values: ['inactive', 'terminated'] }],
  ),
  open,
} as const satisfies Connector;
