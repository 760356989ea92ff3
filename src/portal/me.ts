import { abilitiesOf, grantablePermissions } from '../domain/roles.ts';
import { lacksFactor, sessionOf, userOf } from '../features/accounts/guard.ts';
import type { Routes } from '../features/context.ts';
import { listMovedCompanies } from '../features/daily-run/time-travel.ts';
import { todayIn } from '../platform/clock/clock.ts';
import { findLanguage, updateLanguage } from '../platform/http/portal/language.ts';
import { portalOperation } from '../platform/http/portal/operation.ts';
import { DataOf, Reference } from '../platform/http/schemas.ts';
import { LanguageBody, MeSchema } from './contract.ts';

export const meRoutes: Routes = (app, { config, db, clock, links, mail }) => {
  app.get(
    '/me',
    portalOperation({
      summary: 'Get the signed-in user',
      access: 'read',
      response: { 200: DataOf(Reference(MeSchema)) },
    }),
    async (request) => {
      const user = userOf(request);
      const { id, name, email, roles: held, company, hasSecondFactor, secondFactors } = user;
      const session = sessionOf(request);
      return {
        data: {
          user: {
            id,
            name,
            email,
            language: await findLanguage(db, company.id, id),
            roles: held,
            hasSecondFactor,
            secondFactors,
            mustAddSecondFactor: lacksFactor(user, session),
            signedInBy: session.method,
            grantablePermissions: grantablePermissions(held),
            abilities: abilitiesOf(held),
          },
          company,
          environment: config.environment,
          timeTravel: (await listMovedCompanies(db, config)) !== undefined,
          offersDemo: config.demo,
          sendsMail: mail.isConfigured,
          wallets: [
            ...(config.appleWallet ? ['apple' as const] : []),
            ...(config.googleWallet ? ['google' as const] : []),
          ],
          today: todayIn(clock, company.timeZone).toString(),
          apiUrl: links.api,
          otherApiUrl: config.otherUrl === undefined ? null : `${config.otherUrl}/v1`,
        },
      };
    },
  );

  app.post(
    '/me/language',
    portalOperation({
      summary: "Choose the portal's language",
      description: 'It is kept with the account and used at the next sign-in, on every device.',
      access: 'read',
      body: LanguageBody,
    }),
    async (request, _reply) => {
      const { id, companyId } = userOf(request);
      await updateLanguage(db, companyId, id, request.body.language);
    },
  );
};
