import { type RecordedResponse, readData } from '../support/recording-client.ts';
import type { HostileContext } from './index.ts';
import { type HostileText, isName } from './texts.ts';

interface Field {
  send(text: string, mark: string): Promise<RecordedResponse>;
  /** Returns everything that is stored in the field. Roster fields are read back when the roster is applied. */
  read?(): Promise<string[]>;
  /** Set for fields that accept exactly the names of at most this many characters. */
  maxName?: number;
}
type Fields = Record<string, Field>;

export const entryOf = (text: string, mark: string, fields: object = {}) => ({
  hrId: text,
  firstName: text,
  lastName: text,
  email: `${mark.toLowerCase()}@example.com`,
  autoSyncEmployee: true,
  ...fields,
});

function portalFields({ client, cookie }: HostileContext): Fields {
  const post = (path: string, body: object) => client.portal(path, body, cookie);
  const read = async <T>(path: string) => readData<T>(await client.portal(path, undefined, cookie));
  const namesAt = async (path: string) => (await read<{ name: string }[]>(path)).map(({ name }) => name);
  const users = () => read<{ users: { name: string }[]; invitations: { email: string }[] }>('/users');
  const invite = (email: string) => post('/users/invitations', { email, roles: ['viewer'] });
  return {
    'name of a key': {
      maxName: 100,
      send: (name) => post('/keys', { name, permissions: ['view-billing'], expiresAt: null }),
      read: () => namesAt('/keys'),
    },
    'name of an integration': {
      maxName: 100,
      send: (name) => post('/integrations', { name, type: 'api-integration' }),
      read: () => namesAt('/integrations'),
    },
    'name of a user': {
      maxName: 100,
      async send(name, mark) {
        const { link } = readData<{ link: string }>(await invite(`guest-${mark.toLowerCase()}@example.com`));
        return client.portal(`/invitations/${link.split('/').at(-1)}`, { name, password: 'a password of a guest' });
      },
      read: async () => (await users()).users.map(({ name }) => name),
    },
    'address of a guest': {
      send: invite,
      read: async () => (await users()).invitations.map(({ email }) => email),
    },
    'address of a sign-in': {
      send: (email) => client.portal('/auth/sign-in/email', { email, password: 'not the password' }),
    },
  };
}

/** Returns the roster fields. Each is sent alone in a dry run, which shows whether it is accepted. */
function rosterFields({ client, authorization, integrationId }: HostileContext): Fields {
  const preview = (fields: object, syncId = 'preview') =>
    client.record(`/v1/hr-integrations/${integrationId}/sync?dryRun=true`, {
      method: 'POST',
      headers: { authorization },
      body: { syncId, employees: [entryOf('plain', 'plain', fields)] },
    });
  const field = (name: string, options = {}) => [
    `${name} of a roster`,
    { send: (text: string) => preview({ [name]: text }), ...options },
  ];
  const names = { hrId: 255, firstName: 200, lastName: 200 };
  return {
    ...Object.fromEntries([
      ...Object.entries(names).map(([name, maxName]) => field(name, { maxName })),
      ...['email', 'profileImage', 'dateOfBirth', 'note'].map((name) => field(name)),
    ]),
    syncId: { maxName: 255, send: (text) => preview({}, text) },
    'name of a field': { send: (text) => preview({ [text]: text }) },
  };
}

/** Returns the fields that are not stored. `malformed-http` covers bytes that no client may put into a header. */
function requestFields({ client, authorization, cookie, integrationId }: HostileContext): Fields {
  const paths = {
    'search for employees': '/v1/employees?search=#',
    'search for documents': '/v1/employee-documents?search=#',
    'address looked for': '/v1/employees?emails=#',
    'name of a parameter': '/v1/employees?#=1',
    id: '/v1/employees/#x',
    path: '/v1/#x',
    'id of a sync': `/v1/hr-integrations/${integrationId}/syncs/#x`,
    'search of the portal': '/portal/api/employees?search=#',
    'action of an activity': '/portal/api/activity?action=#',
  };
  const encode = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 8_000);
  const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '').trim();
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const headers = { authorization, cookie };
  const inPath = (path: string) => ({
    send: (text: string) => client.record(path.split('#').join(encode(text)), { headers }),
  });
  return {
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, inPath(path)])),
    headers: {
      send(text) {
        const value = printable(text).slice(0, 4_000);
        return client.record('/v1/me', { headers: { authorization, 'user-agent': value, 'x-request-id': value } });
      },
    },
    'cells of a table': {
      send(text) {
        const table = `hrId,firstName,lastName,email\n${`${quote(text)},`.repeat(3)}a@example.com\n`;
        const path = `/integrations/${integrationId}/preview`;
        return client.portal(path, table, cookie, { 'content-type': 'text/csv' });
      },
    },
  };
}

const isRefusal = ({ status, text }: RecordedResponse) => status >= 400 && status < 500 && text.includes('"code":"');

/**
 * Sends each text in each field. The service must store it unchanged except for surrounding space, or refuse it.
 * `failed` lists what it neither accepted nor refused with a clear response, and `misjudged` what it accepted although
 * it is not a valid name, or refused although it is one.
 */
export async function tryFields(context: HostileContext) {
  const { texts } = context;
  const counts = { accepted: 0, refused: 0 };
  const [failed, changed, misjudged]: [string[], string[], string[]] = [[], [], []];
  const fields = { ...portalFields(context), ...rosterFields(context), ...requestFields(context) };
  for (const [name, { send, read, maxName }] of Object.entries(fields)) {
    const describe = ({ family, mark }: HostileText) => `${name} (${family} ${mark})`;
    const accepted = new Set<HostileText>();
    for (const one of texts) {
      const response = await send(one.text, one.mark);
      if (isRefusal(response)) counts.refused += 1;
      else if (response.status < 300) accepted.add(one);
      else failed.push(`${describe(one)}: ${response.description}`);
    }
    counts.accepted += accepted.size;
    if (maxName !== undefined) {
      misjudged.push(...texts.filter((one) => accepted.has(one) !== isName(one.text, maxName)).map(describe));
    }
    if (read === undefined) continue;
    const stored = new Set(await read());
    const keptAs = (text: string) => (name.startsWith('address') ? text.trim().toLowerCase() : text.trim());
    changed.push(...[...accepted].filter(({ text }) => !stored.has(keptAs(text))).map(describe));
  }
  return { ...counts, failed, changed, misjudged };
}
