import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger } from 'fastify';
import { createKeyedHash } from '../auth/keyed-hash.ts';
import type { AppContext, Routes } from '../context.ts';
import type { DocumentStore } from '../documents/store.ts';
import type { App } from '../http/app.ts';
import { readParameters } from '../http/parameters.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Counter } from '../http/shared-counter.ts';
import { activityRoutes } from './activity.ts';
import { billingRoutes } from './billing/routes.ts';
import { documentRoutes } from './documents.ts';
import { employeeRoutes } from './employees/routes.ts';
import { eventRoutes } from './events.ts';
import { createPortalGuard } from './guard.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { uploadRoutes } from './integrations/upload-routes.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { meRoutes } from './me.ts';
import { overviewRoutes } from './overview/routes.ts';
import { payrollRoutes } from './payroll/routes.ts';
import { settingsRoutes } from './settings.ts';
import { createAuth } from './sign-in/auth.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { createTrail } from './sign-in/trail.ts';
import { timeTravelRoutes } from './time-travel.ts';
import { invitationRoutes } from './users/invitation-routes.ts';
import { userRoutes } from './users/routes.ts';
import { deliveryRoutes } from './webhooks/delivery-routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

type PortalContext = AppContext & { documents: DocumentStore };

const portalSlices: Routes<PortalContext>[] = [
  meRoutes,
  overviewRoutes,
  keyRoutes,
  integrationRoutes,
  uploadRoutes,
  employeeRoutes,
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
  const signIn = { auth, context, trail: createTrail(context, createKeyedHash(context.sessionSecret)) };
  await app.register(
    async (portal) => {
      // Forms of other sites can send this content type, and none of our pages does.
      portal.removeContentTypeParser('text/plain');
      portal.addHook('onRequest', createPortalGuard(auth, context, limiter));
      readParameters(portal);
      for (const slice of [signInRoutes(signIn, counter), invitationRoutes(signIn), ...portalSlices]) {
        slice(portal.withTypeProvider<TypeBoxTypeProvider>(), context);
      }
    },
    { prefix: portalPrefix },
  );
}
