import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger } from 'fastify';
import { createKeyedHash } from '../auth/keyed-hash.ts';
import type { AppContext, Routes } from '../context.ts';
import type { DocumentStore } from '../documents/store.ts';
import type { App } from '../http/app.ts';
import { readParameters } from '../http/parameters.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Counter } from '../http/shared-counter.ts';
import { accessSettingsRoutes } from './access-settings.ts';
import { activityRoutes } from './activity.ts';
import { billingRoutes } from './billing/routes.ts';
import { contractRoutes } from './contracts/routes.ts';
import { signingRoutes } from './contracts/signing-routes.ts';
import { documentRoutes } from './documents/routes.ts';
import { employeeRoutes } from './employees/routes.ts';
import { eventRoutes } from './events.ts';
import { findRoutes } from './find.ts';
import { createPortalGuard } from './guard.ts';
import { connectionRoutes } from './integrations/connection-routes.ts';
import { pullRoutes } from './integrations/pull-routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { uploadRoutes } from './integrations/upload-routes.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { meRoutes } from './me.ts';
import { noticeRoutes } from './notices.ts';
import { overviewRoutes } from './overview/routes.ts';
import { payrollRoutes } from './payroll/routes.ts';
import { requestRoutes } from './requests/routes.ts';
import { settingsRoutes } from './settings.ts';
import { createAuth } from './sign-in/auth.ts';
import { createKnownDevices } from './sign-in/known-devices.ts';
import { membershipRoutes } from './sign-in/membership-routes.ts';
import { passkeyRoutes } from './sign-in/passkey-routes.ts';
import { passkeySignInRoutes } from './sign-in/passkey-sign-in-routes.ts';
import { resetRoutes } from './sign-in/reset-routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { secondFactorRoutes } from './sign-in/second-factor-routes.ts';
import { sessionRoutes } from './sign-in/session-routes.ts';
import { createTrail } from './sign-in/trail.ts';
import { ssoRoutes } from './sso/routes.ts';
import { ssoSignInRoutes } from './sso/sign-in-routes.ts';
import { timeTravelRoutes } from './time-travel.ts';
import { invitationRoutes } from './users/invitation-routes.ts';
import { userRoutes } from './users/routes.ts';
import { viewRoutes } from './views.ts';
import { deliveryRoutes } from './webhooks/delivery-routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

type PortalContext = AppContext & { documents: DocumentStore };

const portalSlices: Routes<PortalContext>[] = [
  meRoutes,
  noticeRoutes,
  viewRoutes,
  overviewRoutes,
  keyRoutes,
  requestRoutes,
  integrationRoutes,
  uploadRoutes,
  connectionRoutes,
  pullRoutes,
  employeeRoutes,
  findRoutes,
  contractRoutes,
  signingRoutes,
  documentRoutes,
  billingRoutes,
  invoiceRoutes,
  eventRoutes,
  webhookRoutes,
  deliveryRoutes,
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
  log: FastifyBaseLogger;
}

/**
 * Registers the portal's own API. It uses sessions instead of keys and does not appear in the public OpenAPI document,
 * but in one of its own (`openapi/portal.json`).
 */
export async function registerPortal(
  app: App,
  context: PortalContext,
  { counter, limiter, log }: PortalOptions,
): Promise<void> {
  const auth = await createAuth({ db: context.db, config: context.config, secret: context.sessionSecret, log });
  const keyedHash = createKeyedHash(context.sessionSecret);
  const devices = createKnownDevices(context.config, keyedHash);
  const signIn = { auth, context, trail: createTrail(context, keyedHash), devices };
  const accountSlices = [
    signInRoutes(signIn, counter),
    secondFactorRoutes(signIn),
    passkeyRoutes,
    passkeySignInRoutes(signIn, counter),
    resetRoutes(signIn),
    membershipRoutes(signIn),
    ssoSignInRoutes(signIn),
    invitationRoutes(signIn),
  ];
  await app.register(
    async (portal) => {
      // Forms of other sites can send this content type, and none of our pages does.
      portal.removeContentTypeParser('text/plain');
      portal.addHook('onRequest', createPortalGuard(auth, context, limiter));
      readParameters(portal);
      for (const slice of [...accountSlices, ...portalSlices]) {
        slice(portal.withTypeProvider<TypeBoxTypeProvider>(), context);
      }
    },
    { prefix: portalPrefix },
  );
}
