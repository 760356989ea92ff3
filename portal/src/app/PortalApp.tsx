import { BrowserRouter } from 'react-router';
import { Notices } from '../ui/Notices.tsx';
import { notifyProblem } from '../ui/notify.tsx';
import { createQueryClient } from './api/client.ts';
import { onStepUpRequired } from './api/request.ts';
import { Pages } from './routes.tsx';
import { askToStepUp, sessionEnded } from './shell/store.ts';
import { signInAddress, signInPath } from './sign-in-address.ts';

/** Pages for visitors who are not signed in. They show a refusal themselves. */
const open = ['/new-password', '/invitation/', '/sign/', '/sso/'];

export const queries = createQueryClient({
  onSignedOut() {
    const { pathname, search } = window.location;
    if (pathname === signInPath || open.some((path) => pathname.startsWith(path))) return;
    // A page that is open keeps what was entered there.
    if (queries.getQueryData(['me']) !== undefined) return sessionEnded.set(true);
    window.location.replace(signInAddress(pathname + search));
  },
  onUnshownProblem: notifyProblem,
});

onStepUpRequired(askToStepUp);

/** The pages of signed-in users. */
export const App = () => (
  <>
    <Notices />
    <BrowserRouter>
      <Pages />
    </BrowserRouter>
  </>
);
