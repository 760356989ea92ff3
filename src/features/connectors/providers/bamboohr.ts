import { createMessage } from '../../../domain/messages/message.ts';
import { type ProviderRecord, toDateText } from '../rules/map-record.ts';
import {
  type ApiTerms,
  createApiConnection,
  createBasicRequests,
  createDefaultMapping,
  describeFields,
  type EmployeePage,
  type Range,
  takeBody,
} from './api-connection.ts';
import { type Connection, type Connector, type Credentials, incompleteFrom, type OpenOptions } from './connector.ts';
import { isRecord, textAt, toAttributeValue, valueAt } from './http-client.ts';

/**
 * Reads employees of BambooHR page by page, each of which links to the next, and approved time off with one request.
 * Fields that the key may not read are null, and named in `_restrictedFields` of the record.
 */

const pageSize = 100;
const terms: ApiTerms = {
  title: 'BambooHR',
  id: 'employeeId',
  permissions: {
    employees: { what: 'Employees: view', message: createMessage('bamboohr-employees') },
    absences: { what: 'Time off: view', message: createMessage('bamboohr-absences') },
  },
  nobody: createMessage('bamboohr-nobody'),
  twice: 'incomplete-overlap',
  describeWithheld: (name) => createMessage('bamboohr-attribute', { name }),
};

const incomplete = incompleteFrom(terms.title);

/** BambooHR writes a date that is not set as zeros. */
const toValue = (value: unknown) => (value === '0000-00-00' ? null : toAttributeValue(value));

/** Paths of one company. Everything it owns is below its domain. */
function createPaths(domain: string) {
  const base = `/api/gateway.php/${encodeURIComponent(domain)}/v1`;
  return {
    employees(fields: readonly string[], limit = pageSize): string {
      return `${base}/employees?${new URLSearchParams({ fields: fields.join(','), 'page[limit]': String(limit) })}`;
    },
    timeOff: ({ from, to }: Range) =>
      `${base}/time_off/requests?${new URLSearchParams({ start: from, end: to, status: 'approved' })}`,
    timeOffTypes: `${base}/meta/time_off/types`,
    fields: `${base}/meta/fields`,
    /** Returns the path of a link. Only path and query count: the host is always BambooHR's. */
    follow(href: string): string {
      const url = URL.canParse(href, bamboohr.origin) ? new URL(href, bamboohr.origin) : undefined;
      if (url === undefined || !url.pathname.startsWith(`${base}/`)) throw incomplete('incomplete-link-elsewhere');
      return `${url.pathname}${url.search}`;
    },
  };
}

/** Leaves out what the key may not read. Null means that there is no value. */
function toAttributes(record: Record<string, unknown>, fields: readonly string[]): ProviderRecord['attributes'] {
  const restricted = Array.isArray(record._restrictedFields) ? record._restrictedFields : [];
  return Object.fromEntries(
    fields.filter((name) => name in record && !restricted.includes(name)).map((name) => [name, toValue(record[name])]),
  );
}

function readTimeOff(request: unknown, timeZone: string) {
  const [personId, start, end] = ['employeeId', 'start', 'end'].map((name) => textAt(request, name));
  if (personId === undefined || start === undefined || end === undefined) throw incomplete('incomplete-time-off');
  return {
    personId,
    typeId: textAt(request, 'type', 'id') ?? '',
    typeName: textAt(request, 'type', 'name') ?? null,
    startDate: toDateText(start, timeZone),
    endDate: toDateText(end, timeZone),
    approved: textAt(request, 'status', 'status') === 'approved',
  };
}

function open({ domain, apiKey }: Credentials, options: OpenOptions): Connection {
  // BambooHR takes the key as the user. The password has no meaning.
  const user = { user: String(apiKey), password: 'x', remedy: createMessage('bamboohr-refused') };
  const origin = options.origin ?? bamboohr.origin;
  const { get, close } = createBasicRequests({ title: terms.title, origin, ...user }, options);
  const paths = createPaths(String(domain));

  async function readPage(path: string) {
    const body = takeBody(terms, await get(path), 'employees');
    const data = valueAt(body, 'data');
    if (!Array.isArray(data)) throw incomplete('incomplete-no-employees');
    if (!data.every(isRecord)) throw incomplete('incomplete-no-employee');
    const href = textAt(body, '_links', 'next', 'href') ?? textAt(body, '_links', 'next');
    const total = Number(textAt(body, 'meta', 'page', 'total') ?? Number.NaN);
    return {
      data,
      total: Number.isInteger(total) ? total : undefined,
      next: href === undefined || href === '' ? undefined : paths.follow(href),
    };
  }

  /** Yields the pages of employees. A link that leads to a page that was read already is a failure. */
  async function* readEmployees(fields: readonly string[]): AsyncGenerator<EmployeePage> {
    const followed = new Set<string>();
    let listed = 0;
    for (let path: string | undefined = paths.employees(fields); path !== undefined; ) {
      if (followed.has(path)) throw incomplete('incomplete-repeated');
      followed.add(path);
      const { data, total, next }: Awaited<ReturnType<typeof readPage>> = await readPage(path);
      listed += data.length;
      if (next !== undefined && data.length === 0) throw incomplete('incomplete-empty-page');
      if (next === undefined && total !== undefined && total !== listed) {
        throw incomplete('incomplete-count', { announced: total, listed });
      }
      path = next;
      yield { records: data.map((record) => toAttributes(record, fields)), total };
    }
  }

  return createApiConnection(terms, {
    tryEmployees: (fields) => get(paths.employees(fields, 1)),
    explainStatus: (status) =>
      status === 404 ? { code: 'unreachable', what: 'domain', message: createMessage('bamboohr-domain') } : undefined,
    readTried(body, fields) {
      const data = valueAt(body, 'data');
      const [first] = Array.isArray(data) ? data : [];
      return isRecord(first) ? toAttributes(first, fields) : undefined;
    },
    tryAbsences: (range) => get(paths.timeOff(range)),
    readEmployees,
    async *readAbsences(range) {
      const requests = takeBody(terms, await get(paths.timeOff(range)), 'absences');
      if (!Array.isArray(requests)) throw incomplete('incomplete-no-time-off');
      for (const request of requests) yield readTimeOff(request, options.timeZone);
    },
    async describe() {
      const fields = takeBody(terms, await get(paths.fields), 'employees');
      const types = valueAt(takeBody(terms, await get(paths.timeOffTypes), 'absences'), 'timeOffTypes');
      return {
        fields: describeFields(fields, 'alias', 'id'),
        absenceTypes: (Array.isArray(types) ? types : []).flatMap((type) => {
          const id = textAt(type, 'id');
          return id === undefined ? [] : [{ id, name: textAt(type, 'name') ?? null }];
        }),
      };
    },
    close,
  });
}

export const bamboohr = {
  provider: 'bamboohr',
  title: terms.title,
  origin: 'https://api.bamboohr.com',
  credentialFields: [
    { name: 'domain', isSecret: false },
    { name: 'apiKey', isSecret: true },
  ],
  findCredentialProblem: ({ domain }: Credentials) =>
    /^[a-z0-9-]{1,63}$/i.test(String(domain)) ? undefined : createMessage('credentials-domain'),
  defaultMapping: createDefaultMapping(
    {
      hrId: 'employeeId',
      firstName: 'firstName',
      lastName: 'lastName',
      email: 'workEmail',
      startDate: 'hireDate',
      terminationDate: 'terminationDate',
    },
    [{ attribute: 'status', is: 'none-of', values: ['inactive'] }],
  ),
  open,
} as const satisfies Connector;
