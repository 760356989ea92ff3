import { TOTP } from 'otpauth';
import { insertDomain, proveDomain } from '../../src/features/accounts/sso/manage.ts';
import { signableStatuses } from '../../src/features/contracts/links.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import { makeEmployee } from '../../test/support/factories.ts';
import type { startIdentityProvider } from '../../test/support/identity-provider.ts';
import { makeUser, type TestUser } from '../../test/support/portal.ts';
import { readCookies, readData } from '../support/http-client.ts';
import { createMarker, type PlantingTarget } from './planting.ts';

export interface AccessTarget extends PlantingTarget {
  db: Db;
  companyId: CompanyId;
  /** Absent: this process does not reach the provider. */
  provider?: Awaited<ReturnType<typeof startIdentityProvider>>;
}

const domain = 'corp.example';

/** The mail server does not accept mails to these addresses yet, so that they wait in the database. */
export const isPostponed = (address: string) => address.startsWith('later-');

/** Opens the page of a link. Where no pages are served, the refusal names the address that was sent. */
async function visit({ client }: AccessTarget, path: string, secret: string): Promise<void> {
  (await client.record(path)).shows.add(secret);
}

async function enter(
  target: AccessTarget,
  fields: { email?: string } = {},
): Promise<{ user: TestUser; cookie: string }> {
  const { db, companyId, client, secrets } = target;
  const user = await makeUser({ db }, companyId, 'admin', { email: secrets.email('address of a user'), ...fields });
  const { email, password } = user;
  secrets.credential('password of a user', password);
  const { openSession } = createMarker(secrets);
  return { user, cookie: openSession(await client.portal('/auth/sign-in/email', { email, password })) };
}

async function plantInSecondFactor(target: AccessTarget): Promise<void> {
  const { client, secrets } = target;
  const { stray, credential } = secrets;
  const { shown, openSession } = createMarker(secrets);
  const { user, cookie } = await enter(target);
  const { email, password } = user;
  const send = (path: string, body?: object) => client.portal(path, body, cookie);
  const added = await send('/auth/second-factor', {});
  const { secret } = readData<{ secret: string }>(added);
  shown(added, 'secret of an authenticator app', secret);
  await send('/auth/second-factor/confirm', { code: stray('code that is none') });
  const showCodes = (response: Awaited<ReturnType<typeof send>>) => {
    const { recoveryCodes } = readData<{ recoveryCodes: string[] }>(response);
    for (const code of recoveryCodes) {
      shown(response, 'recovery code', code);
      credential('recovery code without dashes', code.replaceAll('-', ''));
    }
    return recoveryCodes;
  };
  const confirmed = await send('/auth/second-factor/confirm', { code: new TOTP({ secret }).generate() });
  const [first = '', second = ''] = showCodes(confirmed);
  for (const more of [{}, { code: stray('recovery code that is none') }])
    await client.portal('/auth/sign-in/email', { email, password, ...more });
  openSession(await client.portal('/auth/sign-in/email', { email, password, code: first }));
  for (const given of [stray('wrong credential of a step-up'), second])
    await send('/auth/step-up', { credential: given });
  showCodes(await send('/auth/second-factor/recovery-codes', {}));
  for (const path of ['/me', '/auth/second-factor', '/auth/sessions', '/users', '/memberships', '/activity'])
    await send(path);
}

async function plantInMails(target: AccessTarget): Promise<void> {
  const { client, secrets, linkTo } = target;
  const { stray, credential, word } = secrets;
  const { user, cookie } = await enter(target);
  await client.portal('/auth/prove-address', {}, cookie);
  await client.portal('/auth/request-password-reset', { email: user.email });
  if (linkTo === undefined) return;
  const proof = credential('link that proves an address', await linkTo(user.email, /\/prove-address\/([\w-]{43})/));
  await visit(target, `/prove-address/${proof}`, proof);
  for (const token of [stray('link that proves nothing', word(43)), proof])
    await client.portal(`/auth/prove-address/${token}`, {}, cookie);

  const reset = /\/new-password#([\w-]{43})/;
  const token = credential('link for a new password', await linkTo(user.email, reset));
  const body = { token: stray('link for no password', word(43)), newPassword: stray('password of no user') };
  await client.portal('/auth/reset-password', body);
  const newPassword = credential('password by a mailed link', `${word(18)} ü$`);
  await client.portal('/auth/reset-password', { token, newPassword });

  const late = await enter(target, { email: `later-${secrets.email('address of a mail that waits')}` });
  await client.portal('/auth/request-password-reset', { email: late.user.email });
  credential('link in a mail that waits', await linkTo(late.user.email, reset));
}

async function plantInSignOn(target: AccessTarget): Promise<void> {
  const { client, secrets, provider, db, companyId } = target;
  if (provider === undefined) return;
  const { stray, credential, word } = secrets;
  const { shown, openSession } = createMarker(secrets);
  await writeCompany(db, companyId, async (tx) => {
    await insertDomain(tx, companyId, domain);
    await proveDomain(tx, companyId, domain, {});
  });
  const { cookie } = await enter(target);
  const { issuer, clientId, clientSecret } = provider;
  const rules = { defaultRoles: ['viewer'], groupsClaim: 'groups', groupRoles: [] };
  const connection = { ...rules, clientId, isEnforced: false, breakGlassUserId: null };
  const away = { issuer: 'http://127.0.0.1:9', clientSecret: stray('client secret of a provider that is away') };
  for (const own of [away, { issuer, clientSecret }]) await client.portal('/sso', { ...connection, ...own }, cookie);
  await client.portal('/sso', undefined, cookie);
  const person = { sub: word(), email: `${secrets.personal('name at a provider', word().toLowerCase())}@${domain}` };
  provider.become({ ...person, email_verified: true, name: secrets.personal('name in a claim') });
  const start = async () => {
    const started = await client.portal('/auth/sso/start', { email: person.email });
    const { url } = readData<{ url: string }>(started);
    for (const name of ['state', 'nonce']) {
      shown(started, `${name} of a sign-on`, new URL(url).searchParams.get(name) ?? '');
    }
    return { url, cookie: readCookies(started) };
  };
  const begun = await start();
  const query = await provider.visit(begun.url);
  credential('code of an identity provider', new URLSearchParams(query).get('code') ?? '');
  await client.record(`/sso/callback/${companyId}${query}`);
  const forged = `?code=${stray('forged code')}&state=${stray('forged state')}`;
  await client.portal('/auth/sso/finish', { connection: companyId, query: forged }, begun.cookie);
  openSession(await client.portal('/auth/sso/finish', { connection: companyId, query }, begun.cookie));
  await start();
}

async function plantInSigningLinks(target: AccessTarget): Promise<void> {
  const { client, secrets, db, companyId, linkTo } = target;
  const { shown } = createMarker(secrets);
  const [subscription_status = 'scheduled'] = signableStatuses;
  const email = secrets.email('address of a signer');
  const pending = { email, plan_type: 'deferred-plan', contract_status: 'pending', subscription_status } as const;
  const id = await makeEmployee(db, companyId, pending);
  const { cookie } = await enter(target);
  const made = await client.portal('/contracts/links', { employeeIds: [id] }, cookie);
  const { links } = readData<{ links: { url: string }[] }>(made);
  const token = linkTo ? await linkTo(email, /\/sign\/([\w.-]+)/) : (links[0]?.url.split('/').at(-1) ?? '');
  const [, secret = ''] = token.split('.');
  if (linkTo) secrets.credential('link to sign', secret);
  else shown(made, 'link to sign', secret);
  await visit(target, `/sign/${token}`, secret);
  for (const one of [token, `${companyId}.${secrets.stray('link to sign nothing', secrets.word(43))}`])
    await client.portal(`/signing/${one}`);
}

export async function plantInAccess(target: AccessTarget): Promise<void> {
  await plantInSecondFactor(target);
  await plantInMails(target);
  await plantInSignOn(target);
  await plantInSigningLinks(target);
}
