import { createBrowserRouter } from 'react-router';
import { Loading } from './components/Loading.tsx';
import { Reload } from './components/Reload.tsx';
import { BrokenPage } from './pages/broken/BrokenPage.tsx';
import { signInPath } from './sign-in-address.ts';

/** Loads the shell and every page as a chunk of its own, which exports `Component`. */
export const router = createBrowserRouter([
  {
    ErrorBoundary: BrokenPage,
    HydrateFallback: Loading,
    children: [
      { path: signInPath, Component: Reload },
      { path: '/sign/:token', lazy: () => import('./pages/signing/SigningPage.tsx') },
      { path: '/new-password', lazy: () => import('./pages/new-password/NewPasswordPage.tsx') },
      { path: '/invitation/:token', lazy: () => import('./pages/invitation/InvitationPage.tsx') },
      { path: '/sso/callback/:connection?', lazy: () => import('./pages/sso-callback/SsoCallbackPage.tsx') },
      {
        lazy: () => import('./shell/Shell.tsx'),
        children: [
          {
            // Inside the shell, so that the navigation stays when one page breaks.
            ErrorBoundary: BrokenPage,
            children: [
              { path: '/', lazy: () => import('./pages/overview/OverviewPage.tsx') },
              { path: '/keys', lazy: () => import('./pages/keys/KeysPage.tsx') },
              { path: '/keys/:username', lazy: () => import('./pages/key/KeyPage.tsx') },
              { path: '/requests', lazy: () => import('./pages/requests/RequestsPage.tsx') },
              { path: '/integrations', lazy: () => import('./pages/integrations/IntegrationsPage.tsx') },
              { path: '/integrations/new', lazy: () => import('./pages/set-up/NewIntegrationPage.tsx') },
              { path: '/integrations/:id/setup', lazy: () => import('./pages/set-up/SetUpPage.tsx') },
              { path: '/integrations/:id', lazy: () => import('./pages/integration/IntegrationPage.tsx') },
              { path: '/integrations/:id/upload', lazy: () => import('./pages/roster-upload/RosterUploadPage.tsx') },
              { path: '/integrations/:id/syncs/:syncId', lazy: () => import('./pages/sync/SyncPage.tsx') },
              { path: '/employees', lazy: () => import('./pages/employees/EmployeesPage.tsx') },
              { path: '/employees/:id', lazy: () => import('./pages/employee/EmployeePage.tsx') },
              { path: '/billing', lazy: () => import('./pages/billing/BillingPage.tsx') },
              { path: '/billing/:period', lazy: () => import('./pages/billing-period/BillingPeriodPage.tsx') },
              { path: '/invoices', lazy: () => import('./pages/invoices/InvoicesPage.tsx') },
              { path: '/documents', lazy: () => import('./pages/documents/DocumentsPage.tsx') },
              { path: '/webhooks', lazy: () => import('./pages/webhooks/WebhooksPage.tsx') },
              { path: '/webhooks/:id', lazy: () => import('./pages/webhook/WebhookPage.tsx') },
              { path: '/events', lazy: () => import('./pages/events/EventsPage.tsx') },
              { path: '/payroll', lazy: () => import('./pages/payroll/PayrollPage.tsx') },
              { path: '/activity', lazy: () => import('./pages/activity/ActivityPage.tsx') },
              { path: '/users', lazy: () => import('./pages/users/UsersPage.tsx') },
              { path: '/settings', lazy: () => import('./pages/settings/SettingsPage.tsx') },
              { path: '/sso', lazy: () => import('./pages/sso/SsoPage.tsx') },
              { path: '/getting-started', lazy: () => import('./pages/getting-started/GettingStartedPage.tsx') },
              { path: '/time-travel', lazy: () => import('./pages/time-travel/TimeTravelPage.tsx') },
              { path: '/account', lazy: () => import('./pages/account/AccountPage.tsx') },
              { path: '/prove-address/:token', lazy: () => import('./pages/prove-address/ProveAddressPage.tsx') },
              { path: '*', lazy: () => import('./pages/not-found/NotFoundPage.tsx') },
            ],
          },
        ],
      },
    ],
  },
]);
