export interface Link {
  href: string;
  type: string;
}

const json = 'application/json';
const pdf = 'application/pdf';

export function createLinks(publicUrl: string) {
  const api = `${publicUrl}/v1`;
  const link = (path: string, type: string): Link => ({ href: `${api}${path}`, type });
  return {
    api,
    docs: `${publicUrl}/docs`,
    problemType: (code: string) => `${publicUrl}/docs/errors#${code}`,
    me: link('/me', json),
    employee: (id: number) => link(`/employees/${id}`, json),
    /** Changes are only ever added at the end, so the number of a change is also its page. */
    subscriptionChange: (id: number, number: number) =>
      link(`/employees/${id}/subscription-history?page=${number}&perPage=1`, json),
    subscriptionRequests: (id: number) => link(`/employees/${id}/subscription-requests`, json),
    employeeDocuments: (id: number) => link(`/employees/${id}/documents`, json),
    document: (id: number) => link(`/employee-documents/${id}`, json),
    documentDownload: (id: number) => link(`/employee-documents/${id}/download`, pdf),
    billingItem: (id: number) => link(`/billing/items/${id}`, json),
    payrollExport: (id: number) => link(`/billing/payroll-exports/${id}`, json),
    /** Events do not state the type of the file, because they do not know the payroll system. */
    payrollExportDownload: (id: number, type = 'application/octet-stream') =>
      link(`/billing/payroll-exports/${id}/download`, type),
    invoice: (id: number) => link(`/billing/invoices/${id}`, json),
    invoiceDownload: (id: number) => link(`/billing/invoices/${id}/download`, pdf),
    hrIntegration: (id: number) => link(`/hr-integrations/${id}`, json),
    sync: (id: number, syncId: string) => link(`/hr-integrations/${id}/syncs/${encodeURIComponent(syncId)}`, json),
    syncRecords: (id: number, syncId: string) =>
      link(`/hr-integrations/${id}/syncs/${encodeURIComponent(syncId)}/records`, json),
    syncRecord: (id: number, syncId: string, hrId: string) =>
      link(`/hr-integrations/${id}/syncs/${encodeURIComponent(syncId)}/records?hrId=${encodeURIComponent(hrId)}`, json),
    event: (sequence: number) => link(`/events?after=${sequence - 1}&limit=1`, json),
    /** The token alone authorizes fetching the pass. The company id in front of it is needed to look the pass up. */
    walletPass: (kind: 'apple' | 'google', companyId: number, token: string) =>
      `${api}/wallet/${kind}/${companyId}.${token}`,
  };
}

export type Links = ReturnType<typeof createLinks>;

/** For the examples of the OpenAPI document. */
export const exampleLinks = createLinks('http://localhost:3000');
