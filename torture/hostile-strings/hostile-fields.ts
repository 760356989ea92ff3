import { basic, type Credentials } from '../../test/support/app.ts';
import { type Correspondence, dataOf, json, type Letter } from '../support/correspondence.ts';
import { type HostileText, isName } from './hostile.ts';

/** The service as hostile texts meet it: a company, its key, and one of its people. */
export interface Target {
  letters: Correspondence;
  key: Credentials;
  cookie: string;
  integrationId: number;
}

/** A text field: how it is sent, and how what was stored is read again. */
interface Field {
  name: string;
  send(text: string, mark: string): Promise<Letter>;
  /** Everything that is stored there. */
  read?(): Promise<string[]>;
  /** Set where names are taken, of at most so many characters, and nothing else is. */
  maxName?: number;
}

export interface FieldReport {
  accepted: number;
  refused: number;
  /** Neither taken nor refused by a clear answer. */
  failed: string[];
  changed: string[];
  /** Taken although it is no name, or refused although it is one. */
  misjudged: string[];
}

const isRefusal = ({ status, text }: Letter) => status >= 400 && status < 500 && text.includes('"code":"');

export const entryOf = ({ text, mark }: Pick<HostileText, 'text' | 'mark'>, fields: object = {}) => ({
  hrId: text,
  firstName: text,
  lastName: text,
  email: `${mark.toLowerCase()}@example.com`,
  autoSyncEmployee: true,
  ...fields,
});

/** Every field of people of the portal; what stands in a roster is read again when it is applied. */
export function portalFields({ letters, cookie }: Target): Field[] {
  const read = async <T>(path: string) => dataOf<T>(await letters.ask(path, undefined, cookie));
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
  const people = () => read<{ people: { name: string }[]; invitations: { email: string }[] }>('/people');
  return [
    {
      name: 'name of a key',
      maxName: 100,
      send: (name) => letters.ask('/keys', { name, permissions: ['view-billing'], expiresAt: null }, cookie),
      read: async () => names(await read('/keys')),
    },
    {
      name: 'name of an integration',
      maxName: 100,
      send: (name) => letters.ask('/integrations', { name, type: 'api-integration' }, cookie),
      read: async () => names(await read('/integrations')),
    },
    {
      name: 'name of a person',
      maxName: 100,
      async send(name, mark) {
        const email = `guest-${mark.toLowerCase()}@example.com`;
        const invited = await letters.ask('/people/invitations', { email, role: 'viewer' }, cookie);
        const token = dataOf<{ link: string }>(invited).link.split('/').at(-1);
        return letters.ask(`/invitations/${token}`, { name, password: 'a password of a guest' });
      },
      read: async () => names((await people()).people),
    },
    {
      name: 'address of a guest',
      send: (email) => letters.ask('/people/invitations', { email, role: 'viewer' }, cookie),
      read: async () => (await people()).invitations.map(({ email }) => email),
    },
    {
      name: 'address of a sign-in',
      send: (email) => letters.ask('/auth/sign-in/email', { email, password: 'not the password' }),
    },
  ];
}

/** Roster fields, each alone in a dry run: whether it is taken. */
export function rosterFields({ letters, key, integrationId }: Target): Field[] {
  const preview = (employee: object, syncId = 'preview') =>
    letters.send(`/v1/hr-integrations/${integrationId}/sync?dryRun=true`, {
      method: 'POST',
      headers: { authorization: basic(key), ...json },
      body: JSON.stringify({ syncId, employees: [employee] }),
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

/** What is only asked for. Bytes that no client may put into a header are the matter of another trial. */
export function askingFields({ letters, key, cookie, integrationId }: Target): Field[] {
  const headers = { authorization: basic(key) };
  const encode = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 8_000);
  const plain = (text: string) =>
    text
      .replace(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, 4_000);
  const get = (path: string) => letters.send(path, { headers });
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
      send: (text) => letters.ask(`/employees?search=${encode(text)}`, undefined, cookie),
    },
    {
      name: 'action of an activity',
      send: (text) => letters.ask(`/activity?action=${encode(text)}`, undefined, cookie),
    },
    {
      name: 'headers',
      send: (text) =>
        letters.send('/v1/me', { headers: { ...headers, 'user-agent': plain(text), 'x-request-id': plain(text) } }),
    },
    {
      name: 'cells of a table',
      send: (text) =>
        letters.ask(
          `/integrations/${integrationId}/preview`,
          `hrId,firstName,lastName,email\n${quote(text)},${quote(text)},${quote(text)},a@example.com\n`,
          cookie,
          { 'content-type': 'text/csv' },
        ),
    },
  ];
}

/** Each text in each field: taken, and unchanged but for space around it, or refused. */
export async function tryFields(fields: Field[], texts: HostileText[]): Promise<FieldReport> {
  const report: FieldReport = { accepted: 0, refused: 0, failed: [], changed: [], misjudged: [] };
  for (const { name, send, read, maxName } of fields) {
    const accepted: HostileText[] = [];
    for (const one of texts) {
      const letter = await send(one.text, one.mark);
      if (isRefusal(letter)) report.refused += 1;
      else if (letter.status < 300) accepted.push(one);
      else report.failed.push(`${name} (${one.family} ${one.mark}): ${letter.what}`);
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
