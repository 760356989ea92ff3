import { styleNonce } from './nonce.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './global.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from './api/client.ts';
import { Notices } from './components/Notices.tsx';
import { LanguageProvider } from './i18n/language.tsx';
import { router } from './routes.tsx';
import { signInAddress } from './sign-in-address.ts';
import { cssVariables, theme } from './theme.ts';

const queries = createQueryClient(() => {
  const { pathname, search } = router.state.location;
  if (pathname === '/sign-in' || pathname.startsWith('/invitation/')) return;
  void router.navigate(signInAddress(pathname + search), { replace: true });
});
const colourSchemes = localStorageColorSchemeManager({ key: 'portal-colour-scheme' });

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colourSchemes}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <Notices />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
