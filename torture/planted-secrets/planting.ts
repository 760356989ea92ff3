import { permissions } from '../../src/domain/enums.ts';
import { basic, type Credentials } from '../../test/support/app.ts';
import { type Correspondence, cookieOf, dataOf, json, type Letter } from '../support/correspondence.ts';
import type { Secrets } from './secrets.ts';

/** Where secrets are planted: one process of the service, used from outside. */
export interface Garden {
  secrets: Secrets;
  letters: Correspondence;
  key: Credentials;
  /** A key without any permission. */
  weakKey: Credentials;
  integrationId: number;
  inactiveId: number;
  /** More bytes than a roster may have. */
  tooManyBytes: number;
}

/** Plants the session token that a response contains. Returns its cookie. */
function plantSession({ secrets }: Garden, letter: Letter): string {
  const cookie = cookieOf(letter);
  const value = decodeURIComponent(/session_token=([^;]+)/.exec(cookie)?.[1] ?? '');
  const [token = '', signature = ''] = value.split('.');
  for (const [what, text] of Object.entries({ 'session token': token, "session's signature": signature })) {
    letter.shows.add(secrets.plant('credential', what, text));
  }
  return cookie;
}

export const aPerson = ({ secrets }: Pick<Garden, 'secrets'>) => ({
  hrId: secrets.plant('personal', 'hrId'),
  firstName: secrets.plant('personal', 'first name'),
  lastName: secrets.plant('personal', 'last name'),
  email: `${secrets.plant('personal', 'email', secrets.word().toLowerCase())}@example.com`,
  dateOfBirth: secrets.plant('personal', 'date of birth', secrets.date()),
});

export const rosterOf = (syncId: string, ...employees: object[]) => JSON.stringify({ syncId, employees });

const pushPath = ({ integrationId }: Garden) => `/v1/hr-integrations/${integrationId}/sync`;

export const push = (garden: Garden, body: string, headers: Record<string, string> = {}) =>
  garden.letters.send(pushPath(garden), {
    method: 'POST',
    headers: { authorization: basic(garden.key), ...json, ...headers },
    body,
  });

/** Plants credentials that grant no access, in every place where a client might put them. */
export async function plantInHeaders({ secrets, letters, key, weakKey }: Garden): Promise<void> {
  const stray = (what: string) => secrets.plant('stray', what);
  for (const authorization of [
    basic({ username: key.username, password: stray('wrong password of a key') }),
    basic({ username: stray('unknown username'), password: stray('its password') }),
    `Basic ${key.username}:${stray('password that is not encoded')}`,
    `Bearer ${stray('bearer token')}`,
    stray('bare token'),
  ]) {
    await letters.send('/v1/employees', { headers: { authorization } });
  }
  const headers = {
    authorization: basic(key),
    'x-api-key': stray('x-api-key'),
    referer: `http://x/${stray('referer')}`,
  };
  await letters.send('/v1/employees', { headers: { ...headers, cookie: `other=${stray('foreign cookie')}` } });
  await letters.send('/v1/employees', { headers: { authorization: basic(weakKey), 'x-token': stray('x-token') } });
  await letters.ask('/me', undefined, `transit.session_token=${stray('forged session')}.${stray('forged signature')}`);
}

export async function plantInAddresses({ secrets, letters, key }: Garden): Promise<void> {
  const headers = { authorization: basic(key) };
  const stray = (what: string) => secrets.plant('stray', what);
  const personal = secrets.plant('personal', 'search for a person');
  for (const path of [
    `/v1/employees?search=${personal}`,
    `/v1/employees?emails=${secrets.plant('personal', 'email looked for', secrets.word().toLowerCase())}@example.com`,
    `/v1/employees?sortOrder=${stray('value of a parameter')}&page=${stray('page')}`,
    `/v1/employees?password=${stray('unknown parameter')}`,
    `/v1/employees/${secrets.plant('personal', 'id that is none')}`,
    `/v1/me?token=${stray('token in a query')}`,
    `/v1/nothing?token=${stray('token at no path')}`,
    `/v1/billing/items/${secrets.plant('personal', 'period that is none')}/ticket-charge`,
    `/v1/wallet/apple/${secrets.plant('personal', 'pass that is none')}`,
    `/v1/nothing/${secrets.plant('personal', 'segment of no path')}`,
    `/v1/%E0%A4%A?token=${stray('token at a broken path')}`,
  ]) {
    await letters.send(path, { headers });
  }
  const token = secrets.plant('personal', 'invitation that never was', `1.${secrets.word(43)}`);
  await letters.ask(`/invitations/${token}`);
}

/** Plants secrets in rosters that are accepted and in rosters that are refused for every possible reason. */
export async function plantInRosters(garden: Garden): Promise<void> {
  const { secrets, letters, inactiveId, key, tooManyBytes } = garden;
  const stray = (what: string) => secrets.plant('stray', what);
  const syncId = secrets.word();
  const accepted = rosterOf(syncId, aPerson(garden), aPerson(garden));
  await push(garden, accepted);
  await push(garden, rosterOf(syncId, { ...aPerson(garden), note: stray('other content of a known sync') }));
  const wrong = { email: stray('no email'), dateOfBirth: stray('no date'), profileImage: stray('no address') };
  const odd = { autoSyncEmployee: stray('no truth'), absences: stray('no absences') };
  await push(garden, rosterOf(secrets.word(), { hrId: 'E-1', firstName: 'A', lastName: 'B', ...wrong, ...odd }));
  await push(garden, rosterOf(secrets.word(), { [stray('name of a field')]: 1 }));
  await push(garden, rosterOf(secrets.word(), { ...aPerson(garden), first_name: stray('value of a misspelt field') }));
  await push(garden, rosterOf(secrets.word(), { ...aPerson(garden), salary: stray('value of an unknown field') }));
  await push(garden, rosterOf(secrets.word(), { ...aPerson(garden), lastName: `${stray('broken name')}\u202e` }));
  await push(garden, `{"syncId":"x","employees":[{"email":"${stray('in broken JSON')}",}]}`);
  await push(garden, `${stray('in no JSON')}`);
  await push(garden, `{"employees":"${stray('in a body too large')}","fill":"${'x'.repeat(tooManyBytes)}"}`);
  await push(garden, stray('in plain text'), { 'content-type': 'text/plain' });
  await push(garden, stray('in XML'), { 'content-type': 'application/xml' });
  const inactive = { method: 'POST', headers: { authorization: basic(key), ...json } };
  const body = rosterOf(secrets.word(), aPerson(garden));
  await letters.send(`/v1/hr-integrations/${inactiveId}/sync`, { ...inactive, body });
  await letters.send(`${pushPath(garden)}?dryRun=true`, {
    ...inactive,
    body: rosterOf(secrets.word(), aPerson(garden)),
  });
}

/** Plants secrets in guests, keys and passwords: everything that a portal user can create. */
export async function plantInPortal(garden: Garden, login: { email: string; password: string }): Promise<void> {
  const { secrets, letters, integrationId } = garden;
  const stray = (what: string) => secrets.plant('stray', what);
  const credential = (what: string) => secrets.plant('credential', what, `${secrets.word(18)} ü$`);
  await letters.ask('/auth/sign-in/email', { email: login.email, password: stray('wrong password of a person') });
  await letters.ask('/auth/sign-in/email', {
    email: `${stray('unknown address')}@example.com`,
    password: stray('its password'),
  });
  await letters.ask('/auth/sign-in/email', `{"email":"a@example.com","password":"${stray('password in broken JSON')}"`);
  await letters.ask('/auth/sign-in/email', { email: login.email, passwort: stray('password in an unknown field') });
  await letters.ask('/auth/sign-in/email', login, '', { origin: 'http://elsewhere.example' });
  let cookie = plantSession(garden, await letters.ask('/auth/sign-in/email', login));

  const made = await letters.ask('/keys', { name: 'Made here', permissions, expiresAt: null }, cookie);
  const key = dataOf<Credentials>(made);
  made.shows.add(secrets.plant('credential', 'password of a key of the portal', key.password));
  await letters.send('/v1/me', { headers: { authorization: basic(key) } });
  const rotated = await letters.ask(`/keys/${key.username}/rotate`, { overlapHours: 1 }, cookie);
  const fresh = dataOf<Credentials>(rotated);
  rotated.shows.add(secrets.plant('credential', 'rotated password of a key', fresh.password));
  await letters.send('/v1/me', { headers: { authorization: basic(fresh) } });

  const email = `${secrets.plant('personal', 'guest', secrets.word().toLowerCase())}@example.com`;
  const invited = await letters.ask('/users/invitations', { email, role: 'viewer' }, cookie);
  const token = dataOf<{ link: string }>(invited).link.split('/').at(-1) ?? '';
  invited.shows.add(secrets.plant('credential', 'invitation', token.split('.')[1]));
  await letters.ask(`/invitations/${token}`);
  await letters.ask(`/invitations/${token}`, { name: 'Guest', password: stray('short').slice(0, 11) });
  const guest = { name: secrets.plant('personal', 'name of a guest'), password: credential('password of a guest') };
  const guestCookie = plantSession(garden, await letters.ask(`/invitations/${token}`, guest));
  await letters.ask(`/invitations/${token}`, { name: 'Guest', password: stray('password of a second guest') });
  await letters.ask('/users/invitations', { email: login.email, role: 'viewer' }, cookie);
  await letters.ask('/users/invitations', { email, role: 'admin' }, guestCookie);

  const change = { currentPassword: stray('wrong current password'), newPassword: stray('refused new password') };
  await letters.ask('/auth/change-password', change, cookie);
  const newPassword = credential('new password');
  cookie = plantSession(
    garden,
    await letters.ask('/auth/change-password', { currentPassword: login.password, newPassword }, cookie),
  );
  login.password = newPassword;

  const table = `hrId,firstName,lastName,email\nE-1,A,B,${stray('cell that is no address')}\n`;
  await letters.ask(`/integrations/${integrationId}/preview`, table, cookie, { 'content-type': 'text/csv' });
  await letters.ask(`/integrations/${integrationId}/sync`, `[{"email":"${stray('upload')}"`, cookie);
  await letters.ask(`/employees?search=${secrets.plant('personal', 'search in the portal')}`, undefined, cookie);
  await letters.ask('/auth/sign-out', {}, guestCookie);
}
