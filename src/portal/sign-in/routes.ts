import { insertAudit } from '../../audit.ts';
import { ApiError } from '../../errors.ts';
import type { Routes } from '../../http/routes.ts';
import { ChangePasswordBody, SignInBody } from '../contract.ts';
import { actorOf, personOf } from '../guard.ts';
import { personEmail } from '../people/queries.ts';
import type { Auth } from './auth.ts';
import { askAuth, endOtherSessions, passOnCookies, startSession } from './session.ts';
import { countAttempt, createClientThrottle, forgetAttempts } from './throttle.ts';

const failed = () =>
  new ApiError('sign-in-failed', 'No account has this address and password together. Check both and try again.');

/** The only ways to better-auth; none of its other addresses exists here. */
export const signInRoutes =
  (auth: Auth): Routes =>
  (app, parts) => {
    const { config, db, clock } = parts;
    const hidden = { hide: true };
    const countClient = config.rateLimitPerMinute > 0 ? createClientThrottle() : () => () => {};

    app.post(
      '/auth/sign-in/email',
      { config: { public: true }, schema: { ...hidden, body: SignInBody } },
      async (request, reply) => {
        const credentials = { email: personEmail(request.body.email), password: request.body.password };
        const attempt = `sign-in ${credentials.email}`;
        const forget = countClient(request.ip);
        await countAttempt(db, attempt);
        if (!(await startSession({ auth, parts }, request, reply, credentials))) throw failed();
        forget();
        await forgetAttempts(db, attempt);
        return reply.code(204).send();
      },
    );

    app.post('/auth/sign-out', { config: { public: true }, schema: hidden }, async (request, reply) => {
      passOnCookies(await askAuth(auth, request, config, '/sign-out'), reply);
      return reply.code(204).send();
    });

    app.post(
      '/auth/change-password',
      { config: { portal: 'read' }, schema: { ...hidden, body: ChangePasswordBody } },
      async (request, reply) => {
        const { id, companyId } = personOf(request);
        const attempt = `password ${id}`;
        await countAttempt(db, attempt);
        const change = { ...request.body, revokeOtherSessions: true };
        const response = await askAuth(auth, request, config, '/change-password', change);
        if (!response.ok) throw new ApiError('wrong-password', 'The current password is another one.');
        await forgetAttempts(db, attempt);
        const entry = { action: 'person.password', target: id, actor: actorOf(request), at: clock.now() };
        await db.transaction().execute((tx) => insertAudit(tx, companyId, entry));
        passOnCookies(response, reply);
        return reply.code(204).send();
      },
    );

    app.post('/auth/revoke-other-sessions', { config: { portal: 'read' }, schema: hidden }, async (request, reply) => {
      await endOtherSessions({ auth, parts }, request, personOf(request).id);
      return reply.code(204).send();
    });

    app.post('/auth/revoke-sessions', { config: { portal: 'read' }, schema: hidden }, async (request, reply) => {
      await askAuth(auth, request, config, '/revoke-sessions');
      // Takes the cookie back, which opens nothing now.
      passOnCookies(await askAuth(auth, request, config, '/sign-out'), reply);
      return reply.code(204).send();
    });
  };
