import type { Template } from '../pull/contract.ts';

const paging = {
  kind: 'cursor',
  next: 'meta.has_next_page ? meta.end_cursor : null',
  parameter: 'after_id',
} as const;

/** Factorial: a key in a header, and cursors in the body. */
export const factorial: Template = {
  name: 'factorial',
  title: 'Factorial',
  credentials: {
    baseUrl: 'https://api.factorialhr.com/api/2024-10-01/resources',
    authentication: 'header',
    headerName: 'x-api-key',
  },
  mapping: {
    fields: {
      hrId: 'id',
      firstName: 'first_name',
      lastName: 'last_name',
      email: 'email',
      startDate: null,
      terminationDate: 'terminated_on',
      dateOfBirth: null,
      profileImage: null,
      personnelNumber: null,
    },
    include: [],
    autoSyncEmployee: null,
    absences: { types: 'all' },
    requests: {
      employees: {
        path: '/employees/employees?limit=100',
        list: 'data',
        id: 'id',
        total: 'meta.total',
        paging,
      },
      absences: {
        path: '/timeoff/leaves?from={from}&to={to}&limit=100',
        list: 'data',
        total: 'meta.total',
        paging,
        person: 'employee_id',
        start: 'start_on',
        end: 'finish_on',
        type: 'leave_type_id',
        typeName: 'leave_type_name',
        approved: 'approved',
      },
    },
  },
};
