import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { getAdapter } from 'better-auth/db/adapter';
import type { FastifyBaseLogger } from 'fastify';
import type { KyselyPlugin } from 'kysely';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/database.ts';
import { hashTokens } from './hashed-tokens.ts';

/** Passes the client's address to better-auth. No other address header of the request reaches it. */
export const clientAddressHeader = 'x-client-address';

export const authPath = '/portal/api/auth';

const secondsPerDay = 24 * 60 * 60;

/**
 * Converts timestamps to dates. Our driver returns text, but better-auth calculates with dates and would read text as
 * "never".
 */
const datesFromText: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({
    ...result,
    rows: result.rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          column.endsWith('_at') && typeof value === 'string' ? new Date(value) : value,
        ]),
      ),
    ),
  }),
};

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' };

/**
 * Starts a session for a user whom the service has authenticated. better-auth does not route requests to it: only the
 * service itself calls it.
 */
const authenticated = {
  id: 'authenticated',
  endpoints: {
    startSessionOf: createAuthEndpoint(
      '/start-session-of',
      { method: 'POST', metadata: { SERVER_ONLY: true } },
      async (ctx) => {
        const user = await ctx.context.internalAdapter.findUserById(String(ctx.body?.userId));
        if (!user) throw ctx.error('UNAUTHORIZED');
        const { method, connectionCompanyId } = ctx.body;
        const origin = { method, connectionCompanyId };
        const session = await ctx.context.internalAdapter.createSession(user.id, false, origin, true);
        await setSessionCookie(ctx, { session, user });
        return { id: session.id };
      },
    ),
  },
};

interface AuthOptions {
  db: Db;
  config: Config;
  secret: string;
  log: FastifyBaseLogger;
}

/**
 * Creates better-auth for sessions and their cookies. Only the endpoints that src/features/accounts/portal.ts names can be
 * reached. Passwords are verified by credentials.ts, because several companies may have an account for an address.
 */
export async function createAuth({ db, config, secret, log }: AuthOptions) {
  const { origin, protocol } = new URL(config.publicUrl);
  const options = {
    appName: 'transit-benefits',
    baseURL: origin,
    basePath: authPath,
    secret,
    trustedOrigins: [origin],
    session: {
      modelName: 'portal_sessions',
      fields: {
        ...timestamps,
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        userId: 'user_id',
      },
      additionalFields: {
        lastUsedAt: { type: 'date', required: false, input: false, fieldName: 'last_used_at' },
        steppedUpAt: { type: 'date', required: false, input: false, fieldName: 'stepped_up_at' },
        method: { type: 'string', required: false, input: false },
        connectionCompanyId: { type: 'number', required: false, input: false, fieldName: 'connection_company_id' },
      },
      expiresIn: 7 * secondsPerDay,
      updateAge: secondsPerDay,
    },
    user: {
      modelName: 'portal_users',
      fields: { ...timestamps, emailVerified: 'email_verified' },
      additionalFields: {
        companyId: { type: 'number', required: true, input: false, fieldName: 'company_id' },
        role: { type: 'string', required: true, input: false },
      },
    },
    account: {
      modelName: 'portal_accounts',
      fields: {
        ...timestamps,
        userId: 'user_id',
        providerId: 'provider_id',
        accountId: 'account_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      },
      accountLinking: { enabled: false },
    },
    verification: { modelName: 'portal_verifications', fields: { ...timestamps, expiresAt: 'expires_at' } },
    // See throttle.ts.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'transit',
      useSecureCookies: protocol === 'https:',
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { joins: true, validateSchema: false },
    },
    plugins: [authenticated],
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message, ...details) => {
        log.warn(
          { reason: message, err: details.find((detail) => detail instanceof Error) },
          'sign-in failed with an internal error',
        );
      },
    },
  } satisfies BetterAuthOptions;
  const database = { db: db.withPlugin(datesFromText), type: 'postgres', transaction: true } as const;
  const adapter = await getAdapter({ ...options, database });
  return betterAuth({ ...options, database: () => hashTokens(adapter) });
}

export type Auth = Awaited<ReturnType<typeof createAuth>>;
