import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { createKnownDevices, createSessionCookie } from '../features/accounts/cookies.ts';
import { createPortalGuard } from '../features/accounts/guard.ts';
import { sessionRoutes, signInRoutes } from '../features/accounts/portal.ts';
import { accessSettingsRoutes, membershipRoutes, resetRoutes } from '../features/accounts/portal-account.ts';
import { passkeyRoutes, passkeySignInRoutes } from '../features/accounts/portal-passkeys.ts';
import { secondFactorRoutes } from '../features/accounts/portal-second-factor.ts';
import { ssoRoutes } from '../features/accounts/sso/portal.ts';
import { ssoSignInRoutes } from '../features/accounts/sso/portal-sign-in.ts';
import { createClientThrottle } from '../features/accounts/throttle.ts';
import { createTrail } from '../features/accounts/trail.ts';
import { userRoutes } from '../features/accounts/users/portal.ts';
import { invitationRoutes } from '../features/accounts/users/portal-invitations.ts';
import { activityRoutes } from '../features/activity/portal.ts';
import { billingRoutes } from '../features/billing/portal.ts';
import { settingsRoutes } from '../features/companies/portal.ts';
import { deletionRoutes } from '../features/connectors/portal.ts';
import { connectionRoutes, pullRoutes } from '../features/connectors/pull/portal.ts';
import type { AppContext, Routes } from '../features/context.ts';
import { contractRoutes } from '../features/contracts/portal.ts';
import { signingRoutes } from '../features/contracts/portal-signing.ts';
import { timeTravelRoutes } from '../features/daily-run/portal.ts';
import type { DocumentStore } from '../features/documents/files.ts';
import { documentRoutes } from '../features/documents/portal.ts';
import { employeeRoutes } from '../features/employees/portal.ts';
import { eventRoutes } from '../features/events/portal.ts';
import { integrationRoutes } from '../features/integrations/portal.ts';
import { invoiceRoutes } from '../features/invoices/portal.ts';
import { createKeyedHash } from '../features/keys/keyed-hash.ts';
import { keyRoutes } from '../features/keys/portal.ts';
import { noticeRoutes } from '../features/notices/portal.ts';
import { payrollRoutes } from '../features/payroll/portal.ts';
import { requestRoutes } from '../features/requests/portal.ts';
import { syncRoutes } from '../features/roster/portal.ts';
import { uploadRoutes } from '../features/roster/portal-uploads.ts';
import { decisionRoutes } from '../features/subscriptions/portal.ts';
import { webhookRoutes } from '../features/webhooks/portal.ts';
import type { App } from '../platform/http/app.ts';
import { readParameters } from '../platform/http/parameters.ts';
import type { Counter, RateLimiter } from '../platform/http/rate-limit.ts';
import { findRoutes } from './find.ts';
import { meRoutes } from './me.ts';
import { overviewRoutes } from './overview/routes.ts';
import { viewRoutes } from './views.ts';

type PortalContext = AppContext & { documents: DocumentStore };

const portalSlices: Routes<PortalContext>[] = [
  meRoutes,
  noticeRoutes,
  viewRoutes,
  overviewRoutes,
  keyRoutes,
  requestRoutes,
  integrationRoutes,
  deletionRoutes,
  syncRoutes,
  uploadRoutes,
  connectionRoutes,
  pullRoutes,
  employeeRoutes,
  decisionRoutes,
  findRoutes,
  contractRoutes,
  signingRoutes,
  documentRoutes,
  billingRoutes,
  invoiceRoutes,
  eventRoutes,
  webhookRoutes,
  payrollRoutes,
  activityRoutes,
  userRoutes,
  settingsRoutes,
  accessSettingsRoutes,
  sessionRoutes,
  ssoRoutes,
  timeTravelRoutes,
];

export const portalPrefix = '/portal/api';

interface PortalOptions {
  counter: Counter;
  limiter: RateLimiter;
}

/** Registers the portal's own API, with sessions instead of keys and outside of the OpenAPI document. */
export async function registerPortal(
  app: App,
  context: PortalContext,
  { counter, limiter }: PortalOptions,
): Promise<void> {
  const cookie = createSessionCookie(context.config, context.sessionSecret);
  const keyedHash = createKeyedHash(context.sessionSecret);
  const devices = createKnownDevices(context.config, keyedHash);
  const countClient = context.config.rateLimits.key > 0 ? createClientThrottle(counter) : () => () => {};
  const signIn = { cookie, context, trail: createTrail(context, keyedHash), devices, countClient };
  const accountSlices = [
    signInRoutes(signIn),
    secondFactorRoutes(signIn),
    passkeyRoutes,
    passkeySignInRoutes(signIn),
    resetRoutes(signIn),
    membershipRoutes(signIn),
    ssoSignInRoutes(signIn),
    invitationRoutes(signIn),
  ];
  await app.register(
    async (portal) => {
      // Forms of other sites can send this content type, and none of our pages does.
      portal.removeContentTypeParser('text/plain');
      portal.addHook('onRequest', createPortalGuard(cookie, context, limiter));
      readParameters(portal);
      for (const slice of [...accountSlices, ...portalSlices]) {
        slice(portal.withTypeProvider<TypeBoxTypeProvider>(), context);
      }
    },
    { prefix: portalPrefix },
  );
}
