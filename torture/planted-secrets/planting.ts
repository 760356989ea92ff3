import { permissions } from '../../src/domain/enums.ts';
import { basic, type Credentials } from '../../test/support/app.ts';
import { readCookies } from '../support/http-client.ts';
import { type RecordedResponse, type RecordingClient, readData } from '../support/recording-client.ts';
import type { Secrets } from './secrets.ts';

/** Where secrets are planted: one process of the service, used from outside. */
export interface PlantingTarget {
  secrets: Secrets;
  client: RecordingClient;
  key: Credentials;
  /** A key without any permission. */
  weakKey: Credentials;
  integrationId: number;
  inactiveId: number;
  /** More bytes than a roster may have. */
  tooManyBytes: number;
}

/** Plants the session token that a response contains. Returns its cookie. */
function plantSession({ secrets }: PlantingTarget, response: RecordedResponse): string {
  const cookie = readCookies(response);
  const value = decodeURIComponent(/session_token=([^;]+)/.exec(cookie)?.[1] ?? '');
  const [token = '', signature = ''] = value.split('.');
  for (const [what, text] of Object.entries({ 'session token': token, "session's signature": signature })) {
    response.shows.add(secrets.plant('credential', what, text));
  }
  return cookie;
}

export const plantEmployee = ({ secrets }: Pick<PlantingTarget, 'secrets'>) => ({
  hrId: secrets.plant('personal', 'hrId'),
  firstName: secrets.plant('personal', 'first name'),
  lastName: secrets.plant('personal', 'last name'),
  email: `${secrets.plant('personal', 'email', secrets.word().toLowerCase())}@example.com`,
  dateOfBirth: secrets.plant('personal', 'date of birth', secrets.date()),
});

export const rosterOf = (syncId: string, ...employees: object[]) => JSON.stringify({ syncId, employees });

const pushPath = ({ integrationId }: PlantingTarget) => `/v1/hr-integrations/${integrationId}/sync`;

export const push = (target: PlantingTarget, body: string, headers: Record<string, string> = {}) =>
  target.client.record(pushPath(target), {
    method: 'POST',
    headers: { authorization: basic(target.key), 'content-type': 'application/json', ...headers },
    body,
  });

/** Plants credentials that grant no access, in every place where a client might put them. */
export async function plantInHeaders({ secrets, client, key, weakKey }: PlantingTarget): Promise<void> {
  const stray = (what: string) => secrets.plant('stray', what);
  for (const authorization of [
    basic({ username: key.username, password: stray('wrong password of a key') }),
    basic({ username: stray('unknown username'), password: stray('its password') }),
    `Basic ${key.username}:${stray('password that is not encoded')}`,
    `Bearer ${stray('bearer token')}`,
    stray('bare token'),
  ]) {
    await client.record('/v1/employees', { headers: { authorization } });
  }
  const headers = {
    authorization: basic(key),
    'x-api-key': stray('x-api-key'),
    referer: `http://x/${stray('referer')}`,
  };
  await client.record('/v1/employees', { headers: { ...headers, cookie: `other=${stray('foreign cookie')}` } });
  await client.record('/v1/employees', { headers: { authorization: basic(weakKey), 'x-token': stray('x-token') } });
  await client.portal(
    '/me',
    undefined,
    `transit.session_token=${stray('forged session')}.${stray('forged signature')}`,
  );
}

export async function plantInAddresses({ secrets, client, key }: PlantingTarget): Promise<void> {
  const headers = { authorization: basic(key) };
  const stray = (what: string) => secrets.plant('stray', what);
  const personal = secrets.plant('personal', 'search for an employee');
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
    await client.record(path, { headers });
  }
  const token = secrets.plant('personal', 'invitation that never was', `1.${secrets.word(43)}`);
  await client.portal(`/invitations/${token}`);
}

/** Plants secrets in rosters that are accepted and in rosters that are refused for every possible reason. */
export async function plantInRosters(target: PlantingTarget): Promise<void> {
  const { secrets, client, inactiveId, key, tooManyBytes } = target;
  const stray = (what: string) => secrets.plant('stray', what);
  const syncId = secrets.word();
  const accepted = rosterOf(syncId, plantEmployee(target), plantEmployee(target));
  await push(target, accepted);
  await push(target, rosterOf(syncId, { ...plantEmployee(target), note: stray('other content of a known sync') }));
  const wrong = { email: stray('no email'), dateOfBirth: stray('no date'), profileImage: stray('no address') };
  const odd = { autoSyncEmployee: stray('no truth'), absences: stray('no absences') };
  await push(target, rosterOf(secrets.word(), { hrId: 'E-1', firstName: 'A', lastName: 'B', ...wrong, ...odd }));
  await push(target, rosterOf(secrets.word(), { [stray('name of a field')]: 1 }));
  await push(
    target,
    rosterOf(secrets.word(), { ...plantEmployee(target), first_name: stray('value of a misspelt field') }),
  );
  await push(
    target,
    rosterOf(secrets.word(), { ...plantEmployee(target), salary: stray('value of an unknown field') }),
  );
  await push(target, rosterOf(secrets.word(), { ...plantEmployee(target), lastName: `${stray('broken name')}\u202e` }));
  await push(target, `{"syncId":"x","employees":[{"email":"${stray('in broken JSON')}",}]}`);
  await push(target, `${stray('in no JSON')}`);
  await push(target, `{"employees":"${stray('in a body too large')}","fill":"${'x'.repeat(tooManyBytes)}"}`);
  await push(target, stray('in plain text'), { 'content-type': 'text/plain' });
  await push(target, stray('in XML'), { 'content-type': 'application/xml' });
  const inactive = { method: 'POST', headers: { authorization: basic(key), 'content-type': 'application/json' } };
  const body = rosterOf(secrets.word(), plantEmployee(target));
  await client.record(`/v1/hr-integrations/${inactiveId}/sync`, { ...inactive, body });
  await client.record(`${pushPath(target)}?dryRun=true`, {
    ...inactive,
    body: rosterOf(secrets.word(), plantEmployee(target)),
  });
}

/** Plants secrets in guests, keys and passwords: everything that a portal user can create. */
export async function plantInPortal(target: PlantingTarget, login: { email: string; password: string }): Promise<void> {
  const { secrets, client, integrationId } = target;
  const stray = (what: string) => secrets.plant('stray', what);
  const credential = (what: string) => secrets.plant('credential', what, `${secrets.word(18)} ü$`);
  await client.portal('/auth/sign-in/email', { email: login.email, password: stray('wrong password of a user') });
  await client.portal('/auth/sign-in/email', {
    email: `${stray('unknown address')}@example.com`,
    password: stray('its password'),
  });
  await client.portal(
    '/auth/sign-in/email',
    `{"email":"a@example.com","password":"${stray('password in broken JSON')}"`,
  );
  await client.portal('/auth/sign-in/email', { email: login.email, passwort: stray('password in an unknown field') });
  await client.portal('/auth/sign-in/email', login, '', { origin: 'http://elsewhere.example' });
  let cookie = plantSession(target, await client.portal('/auth/sign-in/email', login));

  const made = await client.portal('/keys', { name: 'Made here', permissions, expiresAt: null }, cookie);
  const key = readData<Credentials>(made);
  made.shows.add(secrets.plant('credential', 'password of a key of the portal', key.password));
  await client.record('/v1/me', { headers: { authorization: basic(key) } });
  const rotated = await client.portal(`/keys/${key.username}/rotate`, { overlapHours: 1 }, cookie);
  const fresh = readData<Credentials>(rotated);
  rotated.shows.add(secrets.plant('credential', 'rotated password of a key', fresh.password));
  await client.record('/v1/me', { headers: { authorization: basic(fresh) } });

  const email = `${secrets.plant('personal', 'guest', secrets.word().toLowerCase())}@example.com`;
  const invited = await client.portal('/users/invitations', { email, role: 'viewer' }, cookie);
  const token = readData<{ link: string }>(invited).link.split('/').at(-1) ?? '';
  invited.shows.add(secrets.plant('credential', 'invitation', token.split('.')[1]));
  await client.portal(`/invitations/${token}`);
  await client.portal(`/invitations/${token}`, { name: 'Guest', password: stray('short').slice(0, 11) });
  const guest = { name: secrets.plant('personal', 'name of a guest'), password: credential('password of a guest') };
  const guestCookie = plantSession(target, await client.portal(`/invitations/${token}`, guest));
  await client.portal(`/invitations/${token}`, { name: 'Guest', password: stray('password of a second guest') });
  await client.portal('/users/invitations', { email: login.email, role: 'viewer' }, cookie);
  await client.portal('/users/invitations', { email, role: 'admin' }, guestCookie);

  const change = { currentPassword: stray('wrong current password'), newPassword: stray('refused new password') };
  await client.portal('/auth/change-password', change, cookie);
  const newPassword = credential('new password');
  cookie = plantSession(
    target,
    await client.portal('/auth/change-password', { currentPassword: login.password, newPassword }, cookie),
  );
  login.password = newPassword;

  const table = `hrId,firstName,lastName,email\nE-1,A,B,${stray('cell that is no address')}\n`;
  await client.portal(`/integrations/${integrationId}/preview`, table, cookie, { 'content-type': 'text/csv' });
  await client.portal(`/integrations/${integrationId}/sync`, `[{"email":"${stray('upload')}"`, cookie);
  await client.portal(`/employees?search=${secrets.plant('personal', 'search in the portal')}`, undefined, cookie);
  await client.portal('/auth/sign-out', {}, guestCookie);
}
