import { writeCompany } from '../../../platform/db/write.ts';
import { portalRoutes } from '../../portal-route.ts';
import { type SignIn, startSessionOf } from '../session.ts';
import { admitIdentity } from './admit.ts';
import { FinishSsoBody, StartedSsoSchema, StartSsoBody } from './contract.ts';
import { createSsoExchange } from './exchange.ts';

/** Signs users in at the identity provider of their company. */
export const ssoSignInRoutes = portalRoutes<SignIn>((route, context) => {
  const { db, clock } = context;
  const exchange = createSsoExchange(context, {
    kind: 'sso',
    cookie: { name: 'transit.sso', path: '/portal/api/auth/sso' },
  });

  route('POST /auth/sso/start', {
    summary: 'Start to sign in at an identity provider',
    description: 'By the domain of the address. The same whether or not the address has an account.',
    access: 'public',
    limit: 'invitation',
    body: StartSsoBody,
    data: StartedSsoSchema,
    problems: ['sso-failed'],
    handle: async ({ request, reply, body: { email } }) => ({ url: await exchange.start(request, reply, email) }),
  });

  route('POST /auth/sso/finish', {
    summary: 'Finish to sign in at an identity provider',
    description: 'Only in the browser that started. Creates the user with the first sign-in.',
    access: 'public',
    limit: 'invitation',
    body: FinishSsoBody,
    problems: ['sso-failed'],
    async handle({ request, reply, body }) {
      const { companyId, connection, identity, refuse, end } = await exchange.finish(request, reply, body);
      const by = { actor: { type: 'service', name: null }, at: clock.now() } as const;
      const admission = await writeCompany(db, companyId, (tx) =>
        admitIdentity(tx, companyId, { connection, identity, by }),
      );
      if (typeof admission === 'string') throw refuse(`sso-${admission}`);
      const account = { userId: admission.userId, companyId, method: 'single-sign-on' } as const;
      if (!(await startSessionOf(context, request, reply, account))) throw refuse('sso-disabled');
      end();
    },
  });
});
