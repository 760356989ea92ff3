import { permissions } from '../../src/domain/enums.ts';
import { createRandom } from '../../src/operator/demo/random.ts';
import { basic, type Credentials } from '../../test/support/app.ts';
import { type RecordedResponse, type RecordingClient, readCookies, readData } from '../support/http-client.ts';

/** A credential is shown once, personal data must not be logged, and what is sent by mistake must leave no trace. */
export type SecretKind = 'credential' | 'personal' | 'stray';

function formsOf(text: string): string[] {
  const inBase64 = [0, 1, 2].map((shift) => {
    const bytes = Buffer.from('x'.repeat(shift) + text);
    return bytes.toString('base64').slice(shift === 0 ? 0 : 4, Math.floor(bytes.length / 3) * 4);
  });
  const inUrls = inBase64.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const plain = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), Buffer.from(text).toString('hex')];
  return [...new Set([...plain, ...inBase64, ...inUrls].map((form) => form.toLowerCase()))];
}

export function createSecrets(seed: number) {
  const random = createRandom(seed);
  const all: { kind: SecretKind; what: string; text: string; forms: string[] }[] = [];
  const alphabet = [...'ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'];
  /** Returns letters and digits only, so that no encoding of text changes them. */
  const word = (length = 24) => Array.from({ length }, () => random.pick(alphabet)).join('');
  const plant =
    (kind: SecretKind) =>
    (what: string, text: string = word()) => {
      if (text.length < 10) throw new Error(`${what} is too short to be recognised: it would be found by chance.`);
      all.push({ kind, what, text, forms: formsOf(text) });
      return text;
    };
  const twoDigits = (from: number, to: number) => String(random.int(from, to)).padStart(2, '0');
  const personal = plant('personal');
  const email = (what: string) => `${personal(what, word().toLowerCase())}@example.com`;
  return {
    all,
    word,
    credential: plant('credential'),
    stray: plant('stray'),
    personal,
    email,
    employee: () => ({
      hrId: personal('hrId'),
      firstName: personal('first name'),
      lastName: personal('last name'),
      email: email('email'),
      dateOfBirth: personal('date of birth', `19${twoDigits(30, 89)}-${twoDigits(1, 12)}-${twoDigits(1, 28)}`),
    }),
    findIn(text: string, kinds: readonly SecretKind[]) {
      const lower = text.toLowerCase();
      return all.filter(({ kind, forms }) => kinds.includes(kind) && forms.some((form) => lower.includes(form)));
    },
  };
}

export type Secrets = ReturnType<typeof createSecrets>;

export interface PlantingTarget {
  secrets: Secrets;
  client: RecordingClient;
  key: Credentials;
  weakKey: Credentials;
  integrationId: number;
  inactiveId: number;
  /** Returns what the pattern finds in the latest mail to the address. Absent: the process has no mail server. */
  linkTo?: (email: string, pattern: RegExp) => Promise<string>;
}

export const maxSyncBytes = 32 * 1024;

const json = 'application/json';

const pushText = ({ client, key, integrationId }: PlantingTarget, body: string, type = json, query = '') =>
  client.record(`/v1/hr-integrations/${integrationId}/sync${query}`, {
    method: 'POST',
    headers: { authorization: basic(key), 'content-type': type },
    body,
  });

export const push = (target: PlantingTarget, employees: object[], syncId = target.secrets.word()) =>
  pushText(target, JSON.stringify({ syncId, employees }));

export async function plantInHeaders({ secrets: { stray }, client, key, weakKey }: PlantingTarget): Promise<void> {
  const authorization = basic(key);
  for (const headers of [
    { authorization: basic({ username: key.username, password: stray('wrong password of a key') }) },
    { authorization: basic({ username: stray('unknown username'), password: stray('its password') }) },
    { authorization: `Basic ${key.username}:${stray('password that is not encoded')}` },
    { authorization: `Bearer ${stray('bearer token')}` },
    { authorization: stray('bare token') },
    { authorization, 'x-api-key': stray('x-api-key'), referer: `http://x/${stray('referer')}` },
    { authorization, cookie: `other=${stray('foreign cookie')}` },
    { authorization: basic(weakKey), 'x-token': stray('x-token') },
  ]) {
    await client.record('/v1/employees', { headers });
  }
  const session = `transit.session_token=${stray('forged session')}.${stray('forged signature')}`;
  await client.portal('/me', undefined, session);
}

export async function plantInAddresses({ secrets, client, key }: PlantingTarget): Promise<void> {
  const { personal, stray } = secrets;
  for (const path of [
    `employees?search=${personal('search for an employee')}`,
    `employees?emails=${secrets.email('email looked for')}`,
    `employees?sortOrder=${stray('value of a parameter')}&page=${stray('page')}`,
    `employees?password=${stray('unknown parameter')}`,
    `employees/${personal('id that is none')}`,
    `me?token=${stray('token in a query')}`,
    `nothing?token=${stray('token at no path')}`,
    `billing/items/${personal('period that is none')}/ticket-charge`,
    `wallet/apple/${personal('pass that is none')}`,
    `nothing/${personal('segment of no path')}`,
    `%E0%A4%A?token=${stray('token at a broken path')}`,
  ]) {
    await client.record(`/v1/${path}`, { headers: { authorization: basic(key) } });
  }
  await client.portal(`/invitations/${personal('invitation that never was', `1.${secrets.word(43)}`)}`);
}

export async function plantInRosters(target: PlantingTarget): Promise<void> {
  const { secrets, inactiveId } = target;
  const { stray, employee, word } = secrets;
  const syncId = word();
  await push(target, [employee(), employee()], syncId);
  await push(target, [{ ...employee(), note: stray('other content of a known sync') }], syncId);
  const wrong = { email: stray('no email'), dateOfBirth: stray('no date'), profileImage: stray('no address') };
  const odd = { autoSyncEmployee: stray('no truth'), absences: stray('no absences') };
  for (const one of [
    { hrId: 'E-1', firstName: 'A', lastName: 'B', ...wrong, ...odd },
    { [stray('name of a field')]: 1 },
    { ...employee(), first_name: stray('value of a misspelt field') },
    { ...employee(), salary: stray('value of an unknown field') },
    { ...employee(), lastName: `${stray('broken name')}\u202e` },
  ]) {
    await push(target, [one]);
  }
  for (const [body, type] of [
    [`{"syncId":"x","employees":[{"email":"${stray('in broken JSON')}",}]}`],
    [stray('in no JSON')],
    [`{"employees":"${stray('in a body too large')}","fill":"${'x'.repeat(maxSyncBytes)}"}`],
    [stray('in plain text'), 'text/plain'],
    [stray('in XML'), 'application/xml'],
  ] as [string, string?][]) {
    await pushText(target, body, type);
  }
  await push({ ...target, integrationId: inactiveId }, [employee()]);
  await pushText(target, JSON.stringify({ syncId: word(), employees: [employee()] }), json, '?dryRun=true');
}

export const createMarker = ({ credential }: Secrets) => {
  const shown = (response: RecordedResponse, what: string, text = '') => response.shows.add(credential(what, text));
  return {
    shown,
    openSession(response: RecordedResponse): string {
      const cookie = readCookies(response);
      const value = decodeURIComponent(/session_token=([^;]+)/.exec(cookie)?.[1] ?? '');
      const [token, signature] = value.split('.');
      shown(response, 'session token', token);
      shown(response, "session's signature", signature);
      return cookie;
    },
  };
};

export async function plantInPortal(target: PlantingTarget, login: { email: string; password: string }): Promise<void> {
  const { secrets, client, integrationId, linkTo } = target;
  const { stray, personal, credential } = secrets;
  const { shown, openSession } = createMarker(secrets);
  const password = (what: string) => credential(what, `${secrets.word(18)} ü$`);
  for (const body of [
    { email: login.email, password: stray('wrong password of a user') },
    { email: `${stray('unknown address')}@example.com`, password: stray('its password') },
    `{"email":"a@example.com","password":"${stray('password in broken JSON')}"`,
    { email: login.email, passwort: stray('password in an unknown field') },
  ]) {
    await client.portal('/auth/sign-in/email', body);
  }
  await client.portal('/auth/sign-in/email', login, '', { origin: 'http://elsewhere.example' });
  let cookie = openSession(await client.portal('/auth/sign-in/email', login));

  const made = await client.portal('/keys', { name: 'Made here', permissions, expiresAt: null }, cookie);
  const key = readData<Credentials>(made);
  shown(made, 'password of a key of the portal', key.password);
  const rotated = await client.portal(`/keys/${key.username}/rotate`, { overlapHours: 1 }, cookie);
  const fresh = readData<Credentials>(rotated);
  shown(rotated, 'rotated password of a key', fresh.password);
  for (const one of [key, fresh]) await client.record('/v1/me', { headers: { authorization: basic(one) } });

  const email = secrets.email('guest');
  const invited = await client.portal('/users/invitations', { email, roles: ['viewer'] }, cookie);
  const { link } = readData<{ link: string | null }>(invited);
  const token = linkTo ? await linkTo(email, /\/invitation\/([\w.-]+)/) : (link?.split('/').at(-1) ?? '');
  const [, secret = ''] = token.split('.');
  if (linkTo) credential('invitation by mail', secret);
  else shown(invited, 'invitation', secret);
  const path = `/invitations/${token}`;
  await client.portal(path);
  await client.portal(path, { name: 'Guest', password: stray('short').slice(0, 11) });
  const guest = { name: personal('name of a guest'), password: password('password of a guest') };
  const guestCookie = openSession(await client.portal(path, guest));
  await client.portal(path, { name: 'Guest', password: stray('password of a second guest') });
  await client.portal('/users/invitations', { email: login.email, roles: ['viewer'] }, cookie);
  await client.portal('/users/invitations', { email, roles: ['admin'] }, guestCookie);

  const wrong = { currentPassword: stray('wrong current password'), newPassword: stray('refused new password') };
  await client.portal('/auth/change-password', wrong, cookie);
  const change = { currentPassword: login.password, newPassword: password('new password') };
  cookie = openSession(await client.portal('/auth/change-password', change, cookie));
  login.password = change.newPassword;

  const table = `hrId,firstName,lastName,email\nE-1,A,B,${stray('cell that is no address')}\n`;
  await client.portal(`/integrations/${integrationId}/preview`, table, cookie, { 'content-type': 'text/csv' });
  await client.portal(`/integrations/${integrationId}/sync`, `[{"email":"${stray('upload')}"`, cookie);
  await client.portal(`/employees?search=${personal('search in the portal')}`, undefined, cookie);
  await client.portal('/auth/sign-out', {}, guestCookie);
}
