import type { Template } from '../pull/contract.ts';

/** HRworks: a pair of keys is exchanged for a token, and the header `Link` names the next page. */
export const hrworks: Template = {
  name: 'hrworks',
  title: 'HRworks',
  credentials: {
    baseUrl: 'https://api.hrworks.de/v2',
    authentication: 'key-pair',
    tokenUrl: 'https://api.hrworks.de/v2/authentication',
  },
  mapping: {
    fields: {
      hrId: 'personnelNumber',
      firstName: 'firstName',
      lastName: 'lastName',
      email: 'email',
      startDate: 'joinDate ?? null',
      terminationDate: 'leaveDate ?? null',
      dateOfBirth: null,
      profileImage: null,
      personnelNumber: 'personnelNumber',
    },
    include: [],
    autoSyncEmployee: null,
    absences: null,
    requests: {
      employees: { path: '/persons/master-data', list: 'persons', id: 'personnelNumber', paging: { kind: 'link' } },
      absences: null,
    },
  },
};
