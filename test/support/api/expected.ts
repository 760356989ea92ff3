/** What the API returns for records that the factories create, with other values where a test names them. */

export const linkTo = (path: string) => ({ href: `http://localhost:3000/v1${path}`, type: 'application/json' });

/** Wraps the rows of a list's only page. */
export const onePage = (rows: object[]) => ({
  data: { data: rows, page: 1, perPage: 10, totalPages: 1, total: rows.length },
});

const noDates = { startAt: null, nextTicketAt: null, pausedAt: null, cancelledAt: null, reactivatedAt: null };

interface EmployeeFields {
  subscription?: object;
  plan?: object;
  [field: string]: unknown;
}

/** Describes an employee without a subscription. */
export const expectedEmployee = (id: number, { subscription, plan, ...fields }: EmployeeFields) => ({
  id,
  firstName: 'Anna',
  dateOfBirth: null,
  profileImage: null,
  resource: 'employee',
  subscription: { status: 'no-subscription', ...noDates, upcoming: null, ...subscription },
  plan: { type: 'fully-subsidized-plan', contractSigningStatus: null, employeeContributionAmount: null, ...plan },
  ticket: null,
  hrIntergartionLinks: [],
  _links: { self: linkTo(`/employees/${id}`), employeeDocuments: linkTo(`/employees/${id}/documents`) },
  ...fields,
});

export const expectedIntegration = (id: number, fields: object) => ({
  id,
  type: 'api-integration',
  status: 'active',
  initialConnectionStatus: 'final-sync-pending',
  lastSyncId: null,
  lastSynced: null,
  lastSyncStatus: null,
  canTriggerSync: true,
  resource: 'hr-integration',
  _links: { self: linkTo(`/hr-integrations/${id}`) },
  ...fields,
});

/** Describes a billing item with the amounts of `aServiceCharge`. */
export const expectedFee = (id: number | undefined, fields: object = {}) => ({
  id,
  billing: {
    period: '2026-11-01',
    total: { label: '1,50\u00a0€', value: 150 },
    tax: { label: '0,29\u00a0€', value: 29 },
    overall: { label: '1,79\u00a0€', value: 179 },
  },
  charge: { type: 'service-charge', employee: null, plan: null },
  billedAt: '2026-11-01T00:05:00Z',
  corrects: null,
  reason: null,
  usage: null,
  resource: 'billing-item',
  _links: { self: linkTo(`/billing/items/${id}`) },
  ...fields,
});

interface TicketChargeFields {
  period?: string;
  profile: object;
  plan?: object;
}

/** Describes a billing item with the amounts of `aTicketCharge`. */
export const expectedTicketCharge = (
  id: number | undefined,
  employee: number | undefined,
  { period = '2026-11-01', profile, plan }: TicketChargeFields,
) => ({
  ...expectedFee(id),
  billing: {
    period,
    total: { label: '55,93\u00a0€', value: 5593 },
    tax: { label: '3,92\u00a0€', value: 392 },
    overall: { label: '59,85\u00a0€', value: 5985 },
  },
  charge: {
    type: 'ticket-charge',
    employee: { profile: { id: employee, ...profile }, exists: true },
    plan: {
      type: 'fully-subsidized-plan',
      companyAmount: { label: '59,85\u00a0€', value: 5985 },
      employeeAmount: { label: '0,00\u00a0€', value: 0 },
      ...plan,
    },
  },
  _links: { self: linkTo(`/billing/items/${id}`), employee: linkTo(`/employees/${employee}`) },
});

interface DocumentFields {
  employeeId: number | null;
  documentName: string;
  createdAt: string;
  updatedAt: string;
  documentFileType?: string;
  downloadable?: boolean;
}

/** Describes a document. Only a PDF file can be downloaded. */
export function expectedDocument(id: number, { employeeId, downloadable = true, ...fields }: DocumentFields) {
  const employee = linkTo(`/employees/${employeeId}`);
  const download = { ...linkTo(`/employee-documents/${id}/download`), type: 'application/pdf' };
  return {
    id,
    employeeId,
    documentFileType: 'pdf',
    downloadable,
    resource: 'employee-document',
    _links: {
      self: linkTo(`/employee-documents/${id}`),
      ...(employeeId === null ? {} : { employee }),
      ...(downloadable ? { download } : {}),
    },
    ...fields,
  };
}
