import { basic, type Credentials } from '../../test/support/app.ts';
import { type RecordedResponse, type RecordingClient, readData } from '../support/recording-client.ts';
import { type HostileText, isName } from './texts.ts';

/** The service that receives hostile texts: a company, its key, and the session of one of its users. */
export interface Target {
  client: RecordingClient;
  key: Credentials;
  cookie: string;
  integrationId: number;
}

/** A text field: how to send a text, and how to read the stored texts. */
interface Field {
  name: string;
  send(text: string, mark: string): Promise<RecordedResponse>;
  /** Returns everything that is stored in the field. */
  read?(): Promise<string[]>;
  /** Set for fields that accept exactly the names of at most this many characters. */
  maxName?: number;
}

export interface FieldReport {
  accepted: number;
  refused: number;
  /** Neither accepted nor refused with a clear response. */
  failed: string[];
  changed: string[];
  /** Accepted although it is not a valid name, or refused although it is one. */
  misjudged: string[];
}

const isRefusal = ({ status, text }: RecordedResponse) => status >= 400 && status < 500 && text.includes('"code":"');

export const entryOf = ({ text, mark }: Pick<HostileText, 'text' | 'mark'>, fields: object = {}) => ({
  hrId: text,
  firstName: text,
  lastName: text,
  email: `${mark.toLowerCase()}@example.com`,
  autoSyncEmployee: true,
  ...fields,
});

/** Returns every text field of the portal. Roster fields are read back when the roster is applied. */
export function portalFields({ client, cookie }: Target): Field[] {
  const read = async <T>(path: string) => readData<T>(await client.portal(path, undefined, cookie));
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
  const users = () => read<{ users: { name: string }[]; invitations: { email: string }[] }>('/users');
  return [
    {
      name: 'name of a key',
      maxName: 100,
      send: (name) => client.portal('/keys', { name, permissions: ['view-billing'], expiresAt: null }, cookie),
      read: async () => names(await read('/keys')),
    },
    {
      name: 'name of an integration',
      maxName: 100,
      send: (name) => client.portal('/integrations', { name, type: 'api-integration' }, cookie),
      read: async () => names(await read('/integrations')),
    },
    {
      name: 'name of a user',
      maxName: 100,
      async send(name, mark) {
        const email = `guest-${mark.toLowerCase()}@example.com`;
        const invited = await client.portal('/users/invitations', { email, role: 'viewer' }, cookie);
        const token = readData<{ link: string }>(invited).link.split('/').at(-1);
        return client.portal(`/invitations/${token}`, { name, password: 'a password of a guest' });
      },
      read: async () => names((await users()).users),
    },
    {
      name: 'address of a guest',
      send: (email) => client.portal('/users/invitations', { email, role: 'viewer' }, cookie),
      read: async () => (await users()).invitations.map(({ email }) => email),
    },
    {
      name: 'address of a sign-in',
      send: (email) => client.portal('/auth/sign-in/email', { email, password: 'not the password' }),
    },
  ];
}

/** Returns the roster fields. Each is sent alone in a dry run, which shows whether it is accepted. */
export function rosterFields({ client, key, integrationId }: Target): Field[] {
  const preview = (employee: object, syncId = 'preview') =>
    client.record(`/v1/hr-integrations/${integrationId}/sync?dryRun=true`, {
      method: 'POST',
      headers: { authorization: basic(key) },
      body: { syncId, employees: [employee] },
    });
  const plain = { text: 'plain', mark: 'plain' };
  const names = { hrId: 255, firstName: 200, lastName: 200 };
  const field = (name: string) => ({
    name: `${name} of a roster`,
    send: (text: string) => preview(entryOf(plain, { [name]: text })),
  });
  return [
    ...Object.entries(names).map(([name, maxName]) => ({ ...field(name), maxName })),
    ...['email', 'profileImage', 'dateOfBirth', 'note'].map(field),
    { name: 'syncId', maxName: 255, send: (text: string) => preview(entryOf(plain), text) },
    { name: 'name of a field', send: (text: string) => preview(entryOf(plain, { [text]: text })) },
  ];
}

/**
 * Returns the fields that are only used in requests and not stored. Another scenario covers bytes that no client may
 * put into a header.
 */
export function requestFields({ client, key, cookie, integrationId }: Target): Field[] {
  const headers = { authorization: basic(key) };
  const encode = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 8_000);
  const plain = (text: string) =>
    text
      .replace(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, 4_000);
  const get = (path: string) => client.record(path, { headers });
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return [
    { name: 'search for employees', send: (text) => get(`/v1/employees?search=${encode(text)}`) },
    { name: 'search for documents', send: (text) => get(`/v1/employee-documents?search=${encode(text)}`) },
    { name: 'address looked for', send: (text) => get(`/v1/employees?emails=${encode(text)}`) },
    { name: 'name of a parameter', send: (text) => get(`/v1/employees?${encode(text)}=1`) },
    { name: 'id', send: (text) => get(`/v1/employees/${encode(text)}x`) },
    { name: 'path', send: (text) => get(`/v1/${encode(text)}x`) },
    { name: 'id of a sync', send: (text) => get(`/v1/hr-integrations/${integrationId}/syncs/${encode(text)}x`) },
    {
      name: 'search of the portal',
      send: (text) => client.portal(`/employees?search=${encode(text)}`, undefined, cookie),
    },
    {
      name: 'action of an activity',
      send: (text) => client.portal(`/activity?action=${encode(text)}`, undefined, cookie),
    },
    {
      name: 'headers',
      send: (text) =>
        client.record('/v1/me', { headers: { ...headers, 'user-agent': plain(text), 'x-request-id': plain(text) } }),
    },
    {
      name: 'cells of a table',
      send: (text) =>
        client.portal(
          `/integrations/${integrationId}/preview`,
          `hrId,firstName,lastName,email\n${quote(text)},${quote(text)},${quote(text)},a@example.com\n`,
          cookie,
          { 'content-type': 'text/csv' },
        ),
    },
  ];
}

/** Sends each text in each field. The service must store it unchanged except for surrounding space, or refuse it. */
export async function tryFields(fields: Field[], texts: HostileText[]): Promise<FieldReport> {
  const report: FieldReport = { accepted: 0, refused: 0, failed: [], changed: [], misjudged: [] };
  for (const { name, send, read, maxName } of fields) {
    const accepted: HostileText[] = [];
    for (const one of texts) {
      const response = await send(one.text, one.mark);
      if (isRefusal(response)) report.refused += 1;
      else if (response.status < 300) accepted.push(one);
      else report.failed.push(`${name} (${one.family} ${one.mark}): ${response.description}`);
    }
    report.accepted += accepted.length;
    if (maxName !== undefined) {
      const misjudged = texts.filter((one) => accepted.includes(one) !== isName(one.text, maxName));
      report.misjudged.push(...misjudged.map(({ family, mark }) => `${name} (${family} ${mark})`));
    }
    if (read === undefined) continue;
    const stored = new Set(await read());
    const keptAs = (text: string) => (name.startsWith('address') ? text.trim().toLowerCase() : text.trim());
    const changed = accepted.filter(({ text }) => !stored.has(keptAs(text)));
    report.changed.push(...changed.map(({ family, mark }) => `${name} (${family} ${mark})`));
  }
  return report;
}
