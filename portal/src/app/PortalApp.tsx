import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from './api/client.ts';
import { onStepUpRequired } from './api/request.ts';
import { router } from './routes.tsx';
import { setSessionEnded } from './shell/session-ended.ts';
import { askToStepUp } from './shell/step-up.ts';
import { signInAddress, signInPath } from './sign-in-address.ts';

/** Pages for visitors who are not signed in. They show a refusal themselves. */
const open = ['/new-password', '/invitation/', '/sign/', '/sso/'];

export const queries = createQueryClient(() => {
  const { pathname, search } = router.state.location;
  if (pathname === signInPath || open.some((path) => pathname.startsWith(path))) return;
  // A page that is open keeps what was entered there.
  if (queries.getQueryData(['me']) !== undefined) return setSessionEnded(true);
  void router.navigate(signInAddress(pathname + search), { replace: true });
});

onStepUpRequired(askToStepUp);

/** The pages of signed-in users. */
export const App = () => <RouterProvider router={router} />;
