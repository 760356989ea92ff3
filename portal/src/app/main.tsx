import { styleNonce } from './nonce.ts';
import '@mantine/core/styles.css';
import './global.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SignInPage } from '../features/accounts/sign-in/SignInPage.tsx';
import { createQueryClient } from './api/client.ts';
import { LanguageProvider } from './i18n/language.tsx';
import { signInPath } from './sign-in-address.ts';
import { cssVariables, theme } from './theme.ts';

const colourSchemes = localStorageColorSchemeManager({ key: 'portal-colour-scheme' });

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no #root.');
const root = createRoot(place);

function render({ App, queries }: { App: ComponentType; queries: QueryClient }): void {
  root.render(
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
            <App />
          </QueryClientProvider>
        </LanguageProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

// The sign-in page is an application of its own, without router, shell and menus, so that it loads quickly. It is part of
// the first chunk, whose parts the portal needs as well; a chunk of its own would be split further. The portal imports
// from the first chunk, so that this must not wait for it at the top level.
if (window.location.pathname === signInPath)
  render({ App: SignInPage, queries: createQueryClient({ onSignedOut: () => {} }) });
else void import('./PortalApp.tsx').then(render);
