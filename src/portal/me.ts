import { Type } from 'typebox';
import { environments, languages, permissions, roles, secondFactorKinds, sessionMethods } from '../domain/enums.ts';
import { abilitiesOf, abilityNames, grantablePermissions } from '../domain/roles.ts';
import { lacksFactor, sessionOf, userOf } from '../features/accounts/guard.ts';
import type { Routes } from '../features/context.ts';
import { listMovedCompanies } from '../features/daily-run/portal.ts';
import { todayIn } from '../platform/clock/clock.ts';
import { findLanguage, updateLanguage } from '../platform/http/portal/language.ts';
import { NoContent, portalOperation } from '../platform/http/portal/operation.ts';
import { Closed } from '../platform/http/portal/schemas.ts';
import { DataOf, Enum, Named, Nullable, PlainDate, Reference } from '../platform/http/schemas.ts';

export const MeSchema = Named(
  'Me',
  Closed({
    user: Closed({
      id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      language: Nullable(Enum(languages), 'The language that the user has chosen, if any.'),
      roles: Type.Array(Enum(roles)),
      hasSecondFactor: Type.Boolean(),
      secondFactors: Type.Array(Enum(secondFactorKinds)),
      mustAddSecondFactor: Type.Boolean({ description: 'Whether the company requires one that the user lacks.' }),
      signedInBy: Enum(sessionMethods),
      grantablePermissions: Type.Array(Enum(permissions), {
        description: 'What the user may give to an API key without the approval of an admin.',
      }),
      abilities: Type.Array(Enum(abilityNames), { description: 'What the roles allow in addition to reading.' }),
    }),
    company: Closed({
      id: Type.Integer(),
      name: Type.String(),
      locale: Type.String(),
      currency: Type.String(),
      timeZone: Type.String(),
    }),
    environment: Enum(environments),
    timeTravel: Type.Boolean({
      description: 'Whether the portal may move the clock of this environment. The roles must allow it as well.',
    }),
    offersDemo: Type.Boolean({ description: 'Whether the credentials of the demo connect to a fake of Personio.' }),
    sendsMail: Type.Boolean({ description: 'Whether the operator has set up a mail server.' }),
    wallets: Type.Array(Enum(['apple', 'google']), { description: 'The wallets for which passes can be created.' }),
    today: PlainDate("Today's date for the company, by the environment's clock."),
    apiUrl: Type.String({ description: 'Base URL of the public API, including /v1.' }),
    otherApiUrl: Nullable(Type.String(), 'Base URL of the public API of the other environment. Null if it is not set.'),
  }),
);

export const meRoutes: Routes = (app, { config, db, clock, links, mail }) => {
  app.get(
    '/me',
    portalOperation({
      id: 'getMe',
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
      id: 'setLanguage',
      summary: "Choose the portal's language",
      description: 'It is kept with the account and used at the next sign-in, on every device.',
      access: 'read',
      body: Closed({ language: Enum(languages) }),
      response: { 204: NoContent },
    }),
    async (request, reply) => {
      const { id, companyId } = userOf(request);
      await updateLanguage(db, companyId, id, request.body.language);
      return reply.code(204).send();
    },
  );
};
