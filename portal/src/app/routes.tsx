import { type ComponentType, lazy, Suspense } from 'react';
import { useRoutes } from 'react-router';
import { Loading, Reload } from '../ui/Query.tsx';
import { PageBoundary } from './broken/BrokenPage.tsx';
import { Shell } from './shell/Shell.tsx';
import { signInPath } from './sign-in-address.ts';

/** A page is a chunk of its own, which exports `Component`. */
const page = (load: () => Promise<{ Component: ComponentType }>) =>
  lazy(async () => ({ default: (await load()).Component }));

const routes = [
  { path: signInPath, Component: Reload },
  { path: '/sign/:token', Component: page(() => import('../features/contracts/signing/SigningPage.tsx')) },
  { path: '/new-password', Component: page(() => import('../features/accounts/new-password/NewPasswordPage.tsx')) },
  { path: '/invitation/:token', Component: page(() => import('../features/accounts/invitation/InvitationPage.tsx')) },
  {
    path: '/sso/callback/:connection?',
    Component: page(() => import('../features/accounts/sso-callback/SsoCallbackPage.tsx')),
  },
  {
    Component: Shell,
    children: [
      { path: '/', Component: page(() => import('../features/overview/OverviewPage.tsx')) },
      { path: '/keys', Component: page(() => import('../features/keys/KeysPage.tsx')) },
      { path: '/keys/:username', Component: page(() => import('../features/keys/key/KeyPage.tsx')) },
      { path: '/requests', Component: page(() => import('../features/requests/RequestsPage.tsx')) },
      { path: '/integrations', Component: page(() => import('../features/connectors/IntegrationsPage.tsx')) },
      {
        path: '/integrations/new',
        Component: page(() => import('../features/connectors/set-up/NewIntegrationPage.tsx')),
      },
      { path: '/integrations/:id/setup', Component: page(() => import('../features/connectors/set-up/SetUpPage.tsx')) },
      {
        path: '/integrations/:id',
        Component: page(() => import('../features/connectors/integration/IntegrationPage.tsx')),
      },
      {
        path: '/integrations/:id/upload',
        Component: page(() => import('../features/roster/upload/RosterUploadPage.tsx')),
      },
      {
        path: '/integrations/:id/syncs/:syncId',
        Component: page(() => import('../features/roster/sync/SyncPage.tsx')),
      },
      { path: '/employees', Component: page(() => import('../features/employees/EmployeesPage.tsx')) },
      { path: '/employees/:id', Component: page(() => import('../features/employees/employee/EmployeePage.tsx')) },
      { path: '/joining', Component: page(() => import('../features/joining/JoiningPage.tsx')) },
      { path: '/agreements', Component: page(() => import('../features/contracts/AgreementsPage.tsx')) },
      { path: '/billing', Component: page(() => import('../features/billing/BillingPage.tsx')) },
      { path: '/billing/forecast', Component: page(() => import('../features/forecast/ForecastPage.tsx')) },
      { path: '/billing/corrections', Component: page(() => import('../features/corrections/CorrectionsPage.tsx')) },
      { path: '/billing/:period', Component: page(() => import('../features/billing/period/BillingPeriodPage.tsx')) },
      { path: '/policies', Component: page(() => import('../features/policies/PoliciesPage.tsx')) },
      { path: '/policies/:id/change', Component: page(() => import('../features/policies/ChangePage.tsx')) },
      { path: '/policies/changes/:id', Component: page(() => import('../features/policies/CampaignPage.tsx')) },
      { path: '/invoices', Component: page(() => import('../features/invoices/InvoicesPage.tsx')) },
      { path: '/documents', Component: page(() => import('../features/documents/DocumentsPage.tsx')) },
      { path: '/webhooks', Component: page(() => import('../features/webhooks/EndpointsPage.tsx')) },
      { path: '/webhooks/:id', Component: page(() => import('../features/webhooks/endpoint/EndpointPage.tsx')) },
      { path: '/events', Component: page(() => import('../features/events/EventsPage.tsx')) },
      { path: '/payroll', Component: page(() => import('../features/payroll/PayrollPage.tsx')) },
      { path: '/issuer', Component: page(() => import('../features/issuers/IssuerPage.tsx')) },
      { path: '/month-end', Component: page(() => import('../features/month-end/MonthEndPage.tsx')) },
      { path: '/activity', Component: page(() => import('../features/activity/ActivityPage.tsx')) },
      { path: '/users', Component: page(() => import('../features/accounts/users/UsersPage.tsx')) },
      { path: '/settings', Component: page(() => import('../features/companies/SettingsPage.tsx')) },
      { path: '/sso', Component: page(() => import('../features/accounts/sso/SsoPage.tsx')) },
      { path: '/getting-started', Component: page(() => import('../features/getting-started/GettingStartedPage.tsx')) },
      { path: '/kept-mails', Component: page(() => import('../features/employee-mails/KeptMailsPage.tsx')) },
      { path: '/time-travel', Component: page(() => import('../features/daily-run/TimeTravelPage.tsx')) },
      { path: '/account', Component: page(() => import('../features/accounts/account/AccountPage.tsx')) },
      {
        path: '/prove-address/:token',
        Component: page(() => import('../features/accounts/prove-address/ProveAddressPage.tsx')),
      },
      { path: '*', Component: page(() => import('./not-found/NotFoundPage.tsx')) },
    ],
  },
];

export function Pages() {
  const page = useRoutes(routes);
  return (
    <PageBoundary>
      <Suspense fallback={<Loading />}>{page}</Suspense>
    </PageBoundary>
  );
}
