import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashSecret } from '../../platform/crypto/company-token.ts';
import { ApiError, unavailable } from '../../platform/http/errors.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import { findReaderLanguage } from '../../platform/http/reader-language.ts';
import { assertOwnOrigin, isSafe } from '../accounts/guard.ts';
import type { AppContext } from '../context.ts';
import { mailLanguageOf } from '../notices/texts.ts';
import type { AccessCookies } from './cookies.ts';
import { type Employment, findEmployment } from './employments.ts';
import { findSession } from './store.ts';
import type { SessionUses } from './uses.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the guard has found: the employment that is open. */
    employment: Employment | undefined;
  }
}

const notSignedIn = () =>
  new ApiError('not-signed-in', 'You are not signed in, or your session has ended. Ask for a new link.');

/** Checks where the request comes from, then which employee makes it. Knows nothing of users of the portal and of keys. */
export function createEmployeeGuard(
  cookies: AccessCookies,
  { config, db, uses }: Pick<AppContext, 'config' | 'db'> & { uses: SessionUses },
  limiter: RateLimiter,
) {
  const { origin } = new URL(config.publicUrl);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isSafe(request.method)) assertOwnOrigin(request, origin);
    if (!request.routeOptions.config.employee) return;
    const found = await findEmployment({ db, uses }, cookies.read(request)).catch(() => {
      // Not 401, with which the page would forget the ticket that it keeps.
      throw unavailable('Your session cannot be checked at the moment. Try again.');
    });
    if (found === undefined) {
      limiter.countFailure(request, reply);
      throw notSignedIn();
    }
    const { companyId, employeeId, id: sessionId, secret, locale } = found;
    const ofBrowser = findReaderLanguage(request.headers['accept-language']);
    const language = found.language ?? ofBrowser ?? mailLanguageOf({ locale });
    request.employment = found;
    request.employee = { companyId, employeeId, sessionId, language };
    request.assertEmployee = async (tx) => {
      if ((await findSession(tx, companyId, hashSecret(secret))) === undefined) throw notSignedIn();
    };
    limiter.countEmployee(request.employee, reply);
  };
}
