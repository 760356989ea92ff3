import { createBrowserRouter } from 'react-router';
import { Loading, Reload } from '../ui/Query.tsx';
import { BrokenPage } from './broken/BrokenPage.tsx';
import { signInPath } from './sign-in-address.ts';

/** Loads the shell and every page as a chunk of its own, which exports `Component`. */
export const router = createBrowserRouter([
  {
    ErrorBoundary: BrokenPage,
    HydrateFallback: Loading,
    children: [
      { path: signInPath, Component: Reload },
      { path: '/sign/:token', lazy: () => import('../features/contracts/signing/SigningPage.tsx') },
      { path: '/new-password', lazy: () => import('../features/accounts/new-password/NewPasswordPage.tsx') },
      { path: '/invitation/:token', lazy: () => import('../features/accounts/invitation/InvitationPage.tsx') },
      {
        path: '/sso/callback/:connection?',
        lazy: () => import('../features/accounts/sso-callback/SsoCallbackPage.tsx'),
      },
      {
        lazy: () => import('./shell/Shell.tsx'),
        children: [
          {
            // Inside the shell, so that the navigation stays when one page breaks.
            ErrorBoundary: BrokenPage,
            children: [
              { path: '/', lazy: () => import('../features/overview/OverviewPage.tsx') },
              { path: '/keys', lazy: () => import('../features/keys/KeysPage.tsx') },
              { path: '/keys/:username', lazy: () => import('../features/keys/key/KeyPage.tsx') },
              { path: '/requests', lazy: () => import('../features/requests/RequestsPage.tsx') },
              { path: '/integrations', lazy: () => import('../features/connectors/IntegrationsPage.tsx') },
              { path: '/integrations/new', lazy: () => import('../features/connectors/set-up/NewIntegrationPage.tsx') },
              { path: '/integrations/:id/setup', lazy: () => import('../features/connectors/set-up/SetUpPage.tsx') },
              {
                path: '/integrations/:id',
                lazy: () => import('../features/connectors/integration/IntegrationPage.tsx'),
              },
              {
                path: '/integrations/:id/upload',
                lazy: () => import('../features/roster/upload/RosterUploadPage.tsx'),
              },
              { path: '/integrations/:id/syncs/:syncId', lazy: () => import('../features/roster/sync/SyncPage.tsx') },
              { path: '/employees', lazy: () => import('../features/employees/EmployeesPage.tsx') },
              { path: '/employees/:id', lazy: () => import('../features/employees/employee/EmployeePage.tsx') },
              { path: '/agreements', lazy: () => import('../features/contracts/AgreementsPage.tsx') },
              { path: '/billing', lazy: () => import('../features/billing/BillingPage.tsx') },
              { path: '/billing/:period', lazy: () => import('../features/billing/period/BillingPeriodPage.tsx') },
              { path: '/invoices', lazy: () => import('../features/invoices/InvoicesPage.tsx') },
              { path: '/documents', lazy: () => import('../features/documents/DocumentsPage.tsx') },
              { path: '/webhooks', lazy: () => import('../features/webhooks/EndpointsPage.tsx') },
              { path: '/webhooks/:id', lazy: () => import('../features/webhooks/endpoint/EndpointPage.tsx') },
              { path: '/events', lazy: () => import('../features/events/EventsPage.tsx') },
              { path: '/payroll', lazy: () => import('../features/payroll/PayrollPage.tsx') },
              { path: '/activity', lazy: () => import('../features/activity/ActivityPage.tsx') },
              { path: '/users', lazy: () => import('../features/accounts/users/UsersPage.tsx') },
              { path: '/settings', lazy: () => import('../features/companies/SettingsPage.tsx') },
              { path: '/sso', lazy: () => import('../features/accounts/sso/SsoPage.tsx') },
              { path: '/getting-started', lazy: () => import('../features/getting-started/GettingStartedPage.tsx') },
              { path: '/time-travel', lazy: () => import('../features/daily-run/TimeTravelPage.tsx') },
              { path: '/account', lazy: () => import('../features/accounts/account/AccountPage.tsx') },
              {
                path: '/prove-address/:token',
                lazy: () => import('../features/accounts/prove-address/ProveAddressPage.tsx'),
              },
              { path: '*', lazy: () => import('./not-found/NotFoundPage.tsx') },
            ],
          },
        ],
      },
    ],
  },
]);
