import type { APIRequestContext } from 'playwright-core';

/** Returns one address for every kind of page that a signed-in user can open. Each page has content. */
export async function findEveryPage(request: APIRequestContext, origin: string): Promise<string[]> {
  const read = async (path: string) => (await (await request.get(`${origin}/portal/api${path}`)).json()).data;
  const [integration] = await read('/integrations');
  const [sync] = (await read(`/integrations/${integration.id}/syncs`)).data;
  const [employee] = (await read('/employees?search=anna')).data;
  const [period] = await read('/billing');
  return [
    '/',
    '/keys',
    '/integrations',
    `/integrations/${integration.id}`,
    `/integrations/${integration.id}/upload`,
    `/integrations/${integration.id}/syncs/${encodeURIComponent(sync.syncId)}`,
    '/employees',
    '/employees?search=nobody',
    `/employees/${employee.id}`,
    '/billing',
    `/billing/${period.period}`,
    '/invoices',
    '/payroll',
    '/webhooks',
    '/events',
    '/activity',
    '/users',
    '/settings',
    '/getting-started',
    '/time-travel',
    '/account',
    '/nowhere',
  ];
}
