import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { createKnownDevices, createSessionCookie } from '../features/accounts/cookies.ts';
import { createPortalGuard } from '../features/accounts/guard.ts';
import { signInRoutes } from '../features/accounts/portal.ts';
import { accessSettingsRoutes, membershipRoutes, resetRoutes } from '../features/accounts/portal-account.ts';
import { factorRoutes } from '../features/accounts/portal-factors.ts';
import { noticeRoutes } from '../features/accounts/portal-notices.ts';
import type { SignIn } from '../features/accounts/session.ts';
import { ssoRoutes } from '../features/accounts/sso/portal.ts';
import { ssoSignInRoutes } from '../features/accounts/sso/portal-sign-in.ts';
import { createClientThrottle } from '../features/accounts/throttle.ts';
import { createTrail } from '../features/accounts/trail.ts';
import { userRoutes } from '../features/accounts/users/portal.ts';
import { invitationRoutes } from '../features/accounts/users/portal-invitations.ts';
import { activityRoutes } from '../features/activity/portal.ts';
import { billingRoutes } from '../features/billing/portal.ts';
import { settingsRoutes } from '../features/companies/portal.ts';
import { caseRoutes } from '../features/connectors/cases/portal.ts';
import { hintAddressRoutes } from '../features/connectors/hints/portal.ts';
import { deletionRoutes } from '../features/connectors/portal.ts';
import { connectionRoutes, pullRoutes } from '../features/connectors/pull/portal.ts';
import type { AppContext, Routes } from '../features/context.ts';
import { contractRoutes } from '../features/contracts/portal.ts';
import { signingRoutes } from '../features/contracts/portal-signing.ts';
import { correctionRoutes } from '../features/corrections/portal.ts';
import { timeTravelRoutes } from '../features/daily-run/portal.ts';
import type { DocumentStore } from '../features/documents/files.ts';
import { documentRoutes } from '../features/documents/portal.ts';
import { employeeMailRoutes } from '../features/employee-mails/portal.ts';
import { employeeRoutes } from '../features/employees/portal.ts';
import { eventRoutes } from '../features/events/portal.ts';
import { forecastRoutes } from '../features/forecast/portal.ts';
import { integrationRoutes } from '../features/integrations/portal.ts';
import { invoiceRoutes } from '../features/invoices/portal.ts';
import { issuerPageRoutes } from '../features/issuers/portal.ts';
import { orderListRoutes } from '../features/issuers/portal-lists.ts';
import { joiningRoutes } from '../features/joining/portal.ts';
import { createKeyedHash } from '../features/keys/credentials.ts';
import { keyRoutes } from '../features/keys/portal.ts';
import { payrollRoutes } from '../features/payroll/portal.ts';
import { policyRoutes } from '../features/policies/portal.ts';
import { requestRoutes } from '../features/requests/portal.ts';
import { syncRoutes } from '../features/roster/portal.ts';
import { uploadRoutes } from '../features/roster/portal-uploads.ts';
import { scimRoutes } from '../features/scim/portal.ts';
import { batchRoutes } from '../features/subscriptions/batches/portal.ts';
import { decisionRoutes } from '../features/subscriptions/portal.ts';
import { webhookRoutes } from '../features/webhooks/portal.ts';
import type { App } from '../platform/http/app.ts';
import { compressJson } from '../platform/http/compress.ts';
import { readParameters } from '../platform/http/parameters.ts';
import type { Counter, RateLimiter } from '../platform/http/rate-limit.ts';
import { findRoutes } from './find.ts';
import { meRoutes } from './me.ts';
import { monthEndRoutes } from './month-end/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { viewRoutes } from './views.ts';

type PortalContext = AppContext & { documents: DocumentStore };

const slices: Routes<PortalContext & SignIn>[] = [
  ...[signInRoutes, factorRoutes, resetRoutes, membershipRoutes, ssoSignInRoutes, invitationRoutes],
  ...[meRoutes, noticeRoutes, viewRoutes, overviewRoutes, monthEndRoutes, findRoutes],
  ...[keyRoutes, requestRoutes, integrationRoutes, scimRoutes, deletionRoutes, syncRoutes, uploadRoutes],
  ...[
    connectionRoutes,
    caseRoutes,
    hintAddressRoutes,
    pullRoutes,
    employeeRoutes,
    decisionRoutes,
    batchRoutes,
    contractRoutes,
    signingRoutes,
    joiningRoutes,
    policyRoutes,
  ],
  ...[
    documentRoutes,
    billingRoutes,
    correctionRoutes,
    forecastRoutes,
    invoiceRoutes,
    eventRoutes,
    webhookRoutes,
    payrollRoutes,
  ],
  ...[
    activityRoutes,
    userRoutes,
    settingsRoutes,
    employeeMailRoutes,
    accessSettingsRoutes,
    ssoRoutes,
    timeTravelRoutes,
  ],
  issuerPageRoutes,
  orderListRoutes,
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
  const { config, sessionSecret } = context;
  const keyedHash = createKeyedHash(sessionSecret);
  const signIn: SignIn = {
    cookie: createSessionCookie(config, sessionSecret),
    trail: createTrail(context, keyedHash),
    devices: createKnownDevices(config, keyedHash),
    countClient: config.rateLimits.key > 0 ? createClientThrottle(counter) : () => () => {},
  };
  await app.register(
    async (portal) => {
      portal.addHook('onSend', compressJson);
      // Forms of other sites can send this content type, and none of our pages does.
      portal.removeContentTypeParser('text/plain');
      portal.addHook('onRequest', createPortalGuard(signIn.cookie, context, limiter));
      portal.addHook('onClose', () => signIn.trail.flush());
      readParameters(portal);
      for (const slice of slices) slice(portal.withTypeProvider<TypeBoxTypeProvider>(), { ...context, ...signIn });
    },
    { prefix: portalPrefix },
  );
}
