import { SignInPage } from '../features/accounts/sign-in/SignInPage.tsx';
import { createQueryClient } from './api/client.ts';

/**
 * The sign-in page is an application of its own, without router, shell and menus, so that it loads quickly. A user who has
 * signed in continues in the portal by loading its page. The page itself knows what to do with other visitors.
 */
export const signInApp = { queries: createQueryClient(() => {}), App: SignInPage };
