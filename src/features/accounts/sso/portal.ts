import { createMessage, type Message } from '../../../domain/messages/message.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidValue, notFound } from '../../../platform/http/errors.ts';
import { assertHostAllowed } from '../../../platform/outgoing/addresses.ts';
import { portalRoutes } from '../../portal-route.ts';
import { listUsers } from '../users/store.ts';
import { endSsoSessions, findConnection, findConnectionWithSecret, storeConnection } from './connection.ts';
import { DomainBody, DomainParams, SsoBody, SsoSchema } from './contract.ts';
import {
  deleteDomain,
  hasRecord,
  insertDomain,
  listDomains,
  proveDomain,
  readDomain,
  removeSso,
  showSso,
} from './manage.ts';
import { createSsoProvider } from './provider.ts';

const maxDomains = 20;

const wrong = (pointer: string, message: Message) => invalidValue(pointer, 'not-allowed', message);

/** Ends the sessions of everybody who may not sign in with a password any more, except the one who changes the setting. */
async function endPasswordSessions(tx: Tx, companyId: CompanyId, kept: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('portal_sessions')
    .where('user_id', 'in', (query) =>
      query
        .selectFrom('portal_users as u')
        .select('u.id')
        .where('u.company_id', '=', companyId)
        .where('u.id', 'not in', kept),
    )
    .execute();
}

/** Throws unless the user is an admin with a password, who can sign in if the identity provider fails. */
async function assertBreakGlass(db: Db, companyId: CompanyId, id: string | null): Promise<void> {
  const users = await listUsers(db, companyId);
  const isAdmin = users.some((user) => user.id === id && user.roles.includes('admin') && user.has_password);
  if (!isAdmin) throw wrong('/breakGlassUserId', createMessage('sso-break-glass'));
}

export const ssoRoutes = portalRoutes((route, context) => {
  const { config, db, encryption } = context;
  const provider = createSsoProvider(config);

  route('GET /sso', {
    summary: 'Get the single sign-on of the company',
    access: 'settings',
    data: SsoSchema,
    handle: showSso,
  });

  route('POST /sso', {
    summary: 'Set up single sign-on',
    description: 'The identity provider must be reachable. Enforcing it ends all other sessions of the company.',
    access: 'settings',
    stepUp: true,
    body: SsoBody,
    data: SsoSchema,
    async handle(call) {
      const { companyId, body, by } = call;
      const { clientSecret, ...connection } = body;
      const { issuer, isEnforced, breakGlassUserId } = connection;
      if (!/^https?:\/\//.test(issuer) || !URL.canParse(issuer)) throw wrong('/issuer', createMessage('url-not-url'));
      if (config.environment === 'production' && !issuer.startsWith('https:'))
        throw wrong('/issuer', createMessage('url-not-https-in-production'));
      const rules = { allowPrivate: config.webhookAllowPrivate };
      await assertHostAllowed(new URL(issuer).hostname, rules).catch(() => {
        throw wrong('/issuer', createMessage('url-private'));
      });
      const domains = await listDomains(db, companyId);
      if (isEnforced) {
        await assertBreakGlass(db, companyId, breakGlassUserId);
        if (!domains.some(({ isProven }) => isProven)) throw wrong('/isEnforced', createMessage('sso-no-domain'));
      }
      const secret = clientSecret ?? (await findConnectionWithSecret(db, companyId, encryption))?.clientSecret;
      if (secret === undefined) throw wrong('/clientSecret', createMessage('sso-secret-missing'));
      await provider.check({ ...connection, clientSecret: secret }).catch(() => {
        throw wrong('/issuer', createMessage('sso-not-discoverable'));
      });
      await call.write(async (tx) => {
        const before = await findConnection(tx, companyId);
        await storeConnection(tx, companyId, { ...connection, clientSecret: secret }, { encryption, by });
        if (isEnforced && before?.isEnforced !== true) {
          const { id } = call.user;
          await endPasswordSessions(tx, companyId, [id, breakGlassUserId ?? id]);
        }
      });
      return showSso(call);
    },
  });

  route('DELETE /sso', {
    summary: 'Remove single sign-on',
    description: 'Ends the sessions that it opened. Passwords count again; users without one need a new invitation.',
    access: 'settings',
    stepUp: true,
    problems: ['not-found'],
    async handle(call) {
      if (!(await removeSso(call)).removed) throw notFound('single sign-on');
    },
  });

  route('POST /sso/domains', {
    summary: 'Add a domain of the company',
    description: 'It counts once its TXT record was found, or the operator has confirmed it.',
    access: 'settings',
    body: DomainBody,
    data: SsoSchema,
    async handle(call) {
      const { companyId } = call;
      const domain = readDomain(call.body.domain);
      if ((await listDomains(db, companyId)).length >= maxDomains)
        throw wrong('/domain', createMessage('sso-domains-many', { limit: maxDomains }));
      await call.write((tx) => insertDomain(tx, companyId, domain));
      return showSso(call);
    },
  });

  route('POST /sso/domains/:domain/check', {
    summary: 'Look for the TXT record of a domain',
    access: 'settings',
    params: DomainParams,
    data: SsoSchema,
    problems: ['not-found', 'invalid-body'],
    async handle(call) {
      const { companyId, by } = call;
      const claimed = (await listDomains(db, companyId)).find(({ domain }) => domain === call.params.domain);
      if (claimed === undefined) throw notFound('domain');
      if (!claimed.isProven && (await hasRecord(claimed, config))) {
        if (!(await call.write((tx) => proveDomain(tx, companyId, claimed.domain, by))))
          throw wrong('/domain', createMessage('sso-domain-taken'));
      }
      return showSso(call);
    },
  });

  route('DELETE /sso/domains/:domain', {
    summary: 'Remove a domain',
    description: 'Ends the sessions of its addresses that single sign-on opened.',
    access: 'settings',
    params: DomainParams,
    problems: ['not-found'],
    handle: ({ companyId, params: { domain }, by, write }) =>
      write(async (tx) => {
        if (!(await deleteDomain(tx, companyId, domain, by))) throw notFound('domain');
        await endSsoSessions(tx, companyId, domain);
      }),
  });
});
