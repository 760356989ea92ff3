import type { Template } from '../pull/contract.ts';

/** Workday: a custom report as a web service. One response has everything; members without a value are left out. */
export const workday: Template = {
  name: 'workday',
  title: 'Workday',
  credentials: { authentication: 'basic' },
  mapping: {
    fields: {
      hrId: 'Employee_ID',
      firstName: 'First_Name',
      lastName: 'Last_Name',
      email: 'Work_Email ?? null',
      startDate: 'Hire_Date ?? null',
      terminationDate: 'Termination_Date ?? null',
      dateOfBirth: null,
      profileImage: null,
      personnelNumber: null,
    },
    include: [],
    autoSyncEmployee: null,
    absences: null,
    requests: {
      employees: {
        path: '/Transit_Tickets?format=json',
        list: 'Report_Entry',
        id: 'Employee_ID',
        paging: { kind: 'none' },
      },
      absences: null,
    },
  },
};
