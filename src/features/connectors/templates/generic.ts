import type { Template } from '../pull/contract.ts';

/** A starting point for any API: everything in one list, with usual names. */
export const generic: Template = {
  name: 'generic',
  title: null,
  credentials: { authentication: 'bearer' },
  mapping: {
    fields: {
      hrId: 'id',
      firstName: 'firstName',
      lastName: 'lastName',
      email: 'email',
      startDate: null,
      terminationDate: null,
      dateOfBirth: null,
      profileImage: null,
      personnelNumber: null,
    },
    include: [],
    autoSyncEmployee: null,
    absences: null,
    requests: { employees: { path: '/employees', list: '$', id: 'id', paging: { kind: 'none' } }, absences: null },
  },
};
