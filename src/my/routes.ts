import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { isTestIn } from '../domain/test-mark.ts';
import { createClientThrottle } from '../features/accounts/throttle.ts';
import { createTrail } from '../features/accounts/trail.ts';
import type { AppContext, Routes } from '../features/context.ts';
import { myAgreementRoutes } from '../features/contracts/my.ts';
import type { AgreementDeps } from '../features/contracts/my-agreement.ts';
import type { DocumentStore } from '../features/documents/files.ts';
import { ownDocumentRoutes } from '../features/documents/my.ts';
import { startRenderer } from '../features/documents/pdf/renderer.ts';
import { createAccessCookies } from '../features/employee-access/cookies.ts';
import { createEmployeeGuard } from '../features/employee-access/guard.ts';
import { sessionRoutes } from '../features/employee-access/my.ts';
import { letterRoutes, linkRoutes, ssoAccessRoutes } from '../features/employee-access/my-access.ts';
import type { Access } from '../features/employee-access/start-session.ts';
import { createSessionUses } from '../features/employee-access/uses.ts';
import { invitationRoutes } from '../features/joining/my.ts';
import { createKeyedHash } from '../features/keys/credentials.ts';
import type { Wallets } from '../features/wallet/wallets.ts';
import type { App } from '../platform/http/app.ts';
import { compressJson } from '../platform/http/compress.ts';
import { readParameters } from '../platform/http/parameters.ts';
import type { Counter, RateLimiter } from '../platform/http/rate-limit.ts';
import { ownDataRoutes } from './data-routes.ts';
import { homeRoutes } from './home.ts';
import { ownSettingsRoutes } from './settings.ts';
import { ownRequestRoutes } from './subscription.ts';

type MyContext = AppContext & { documents: DocumentStore; wallets: Wallets };

const slices: Routes<MyContext & AgreementDeps & Access>[] = [
  ...[linkRoutes, letterRoutes, ssoAccessRoutes, invitationRoutes, sessionRoutes],
  ...[homeRoutes, ownRequestRoutes, myAgreementRoutes, ownDocumentRoutes, ownSettingsRoutes],
  ...[ownDataRoutes],
];

export const myPrefix = '/my/api';

interface MyOptions {
  counter: Counter;
  limiter: RateLimiter;
}

/** Registers the API of the employee's page, with sessions of its own and outside of the OpenAPI document. */
export async function registerMy(app: App, context: MyContext, { counter, limiter }: MyOptions): Promise<void> {
  const { config, sessionSecret } = context;
  const uses = createSessionUses({
    db: context.db,
    onError: (error) => app.log.error({ err: error }, 'uses of sessions could not be recorded'),
  });
  const access: Access = {
    uses,
    cookies: createAccessCookies(config),
    trail: createTrail(context, createKeyedHash(sessionSecret)),
    countClient: config.rateLimits.key > 0 ? createClientThrottle(counter, 'letter') : () => () => {},
  };
  const renderer = startRenderer(isTestIn(config.environment));
  app.addHook('onClose', () => renderer.stop());
  await app.register(
    async (my) => {
      my.addHook('onSend', compressJson);
      // Forms of other sites can send this content type, and none of our pages does.
      my.removeContentTypeParser('text/plain');
      my.addHook('onRequest', createEmployeeGuard(access.cookies, { ...context, uses }, limiter));
      my.addHook('onClose', async () => {
        await Promise.all([access.trail.flush(), uses.flush()]);
      });
      readParameters(my);
      for (const slice of slices)
        slice(my.withTypeProvider<TypeBoxTypeProvider>(), { ...context, ...access, renderer });
    },
    { prefix: myPrefix },
  );
}
