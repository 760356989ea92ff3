import type { Ability } from '../domain/roles.ts';
import type { Account, PortalUser, Session } from './caller.ts';
import { accountOf, contextOf, sessionOf, userOf } from './caller.ts';
import type { CompanyContext } from './context.ts';
import { createPageRoutes } from './page-route.ts';

/** What handlers receive unless the route is public. It is the context of the use cases that the handler calls. */
export interface UserCall extends CompanyContext {
  user: PortalUser;
  session: Session;
  account: Account;
}

/**
 * Defines routes of the portal's own API. The user must still have the ability that `access` names when `write` begins,
 * and keeps it until the transaction ends.
 */
export const portalRoutes = createPageRoutes<'public' | 'read' | Ability, UserCall>(
  (request, context, { access, locksUsers }) => ({
    ...{ user: userOf(request), session: sessionOf(request), account: accountOf(request) },
    ...contextOf(request, context, access === 'read' || locksUsers ? undefined : access),
  }),
);
