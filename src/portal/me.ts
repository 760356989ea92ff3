import { abilitiesOf, grantablePermissions } from '../domain/roles.ts';
import { lacksFactor } from '../features/accounts/guard.ts';
import { listMovedCompanies } from '../features/daily-run/time-travel.ts';
import { portalRoutes } from '../features/portal-route.ts';
import { todayIn } from '../platform/clock/clock.ts';
import { findLanguage, updateLanguage } from '../platform/http/portal/language.ts';
import { Reference } from '../platform/http/schemas.ts';
import { LanguageBody, MeSchema } from './contract.ts';

export const meRoutes = portalRoutes((route, { config, db, clock, links, mail }) => {
  route('GET /me', {
    summary: 'Get the signed-in user',
    access: 'read',
    data: Reference(MeSchema),
    async handle({ user, session }) {
      const { id, name, email, roles: held, company, hasSecondFactor, secondFactors } = user;

      return {
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
      };
    },
  });

  route('POST /me/language', {
    summary: "Choose the portal's language",
    description: 'It is kept with the account and used at the next sign-in, on every device.',
    access: 'read',
    body: LanguageBody,
    async handle({ user, body }) {
      const { id, companyId } = user;
      await updateLanguage(db, companyId, id, body.language);
    },
  });
});
