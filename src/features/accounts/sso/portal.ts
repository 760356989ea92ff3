import { createMessage, type Message } from '../../../domain/messages/message.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidValue, notFound } from '../../../platform/http/errors.ts';
import { portalOperation } from '../../../platform/http/portal/operation.ts';
import { DataOf } from '../../../platform/http/schemas.ts';
import { assertHostAllowed } from '../../../platform/outgoing/addresses.ts';
import type { Routes } from '../../context.ts';
import { contextOf, userOf } from '../guard.ts';
import { listUsers } from '../users/store.ts';
import { endSsoSessions, findConnection, findConnectionWithSecret, storeConnection } from './connection.ts';
import { DomainBody, DomainParams, SsoBody, SsoSchema } from './contract.ts';
import { deleteDomain, hasRecord, insertDomain, listDomains, proveDomain } from './domains.ts';
import { readDomain, removeSso, showSso } from './manage.ts';
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

export const ssoRoutes: Routes = (app, context) => {
  const { config, db, encryption } = context;
  const provider = createSsoProvider(config);
  const response = { 200: DataOf(SsoSchema) };
  const present = async (companyId: CompanyId) => ({ data: await showSso({ config, db, companyId }) });

  app.get(
    '/sso',
    portalOperation({
      summary: 'Get the single sign-on of the company',
      access: 'settings',
      response,
    }),
    (request) => present(userOf(request).companyId),
  );

  app.post(
    '/sso',
    portalOperation({
      summary: 'Set up single sign-on',
      description: 'The identity provider must be reachable. Enforcing it ends all other sessions of the company.',
      access: 'settings',
      stepUp: true,
      body: SsoBody,
      response,
    }),
    async (request) => {
      const { companyId, id } = userOf(request);
      const { clientSecret, ...connection } = request.body;
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
      const { by, write } = contextOf(request, context);
      await write(async (tx) => {
        const before = await findConnection(tx, companyId);
        await storeConnection(tx, companyId, { ...connection, clientSecret: secret }, { encryption, by });
        if (isEnforced && before?.isEnforced !== true) {
          await endPasswordSessions(tx, companyId, [id, breakGlassUserId ?? id]);
        }
      });
      return present(companyId);
    },
  );

  app.delete(
    '/sso',
    portalOperation({
      summary: 'Remove single sign-on',
      description: 'Ends the sessions that it opened. Passwords count again; users without one need a new invitation.',
      access: 'settings',
      stepUp: true,
      problems: ['not-found'],
    }),
    async (request) => {
      if (!(await removeSso(contextOf(request, context, 'settings'))).removed) throw notFound('single sign-on');
    },
  );

  app.post(
    '/sso/domains',
    portalOperation({
      summary: 'Add a domain of the company',
      description: 'It counts once its TXT record was found, or the operator has confirmed it.',
      access: 'settings',
      body: DomainBody,
      response,
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const domain = readDomain(request.body.domain);
      if ((await listDomains(db, companyId)).length >= maxDomains)
        throw wrong('/domain', createMessage('sso-domains-many', { limit: maxDomains }));
      await contextOf(request, context).write((tx) => insertDomain(tx, companyId, domain));
      return present(companyId);
    },
  );

  app.post(
    '/sso/domains/:domain/check',
    portalOperation({
      summary: 'Look for the TXT record of a domain',
      access: 'settings',
      params: DomainParams,
      response,
      problems: ['not-found', 'invalid-body'],
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const claimed = (await listDomains(db, companyId)).find(({ domain }) => domain === request.params.domain);
      if (claimed === undefined) throw notFound('domain');
      if (!claimed.isProven && (await hasRecord(claimed, config))) {
        const { by, write } = contextOf(request, context);
        if (!(await write((tx) => proveDomain(tx, companyId, claimed.domain, by))))
          throw wrong('/domain', createMessage('sso-domain-taken'));
      }
      return present(companyId);
    },
  );

  app.delete(
    '/sso/domains/:domain',
    portalOperation({
      summary: 'Remove a domain',
      description: 'Ends the sessions of its addresses that single sign-on opened.',
      access: 'settings',
      params: DomainParams,
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId, by, write } = contextOf(request, context);
      const { domain } = request.params;
      await write(async (tx) => {
        if (!(await deleteDomain(tx, companyId, domain, by))) throw notFound('domain');
        await endSsoSessions(tx, companyId, domain);
      });
    },
  );
};
