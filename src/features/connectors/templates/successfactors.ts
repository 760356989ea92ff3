import type { Template } from '../pull/contract.ts';

/** Dates of OData 2 count milliseconds: `/Date(1577836800000)/`. */
const day = (name: string) =>
  `${name} = null ? null : $substring($fromMillis($number($match(${name}, /-?[0-9]+/)[0].match)), 0, 10)`;

const paging = { kind: 'cursor', next: 'd.__next', parameter: null } as const;

/** SAP SuccessFactors: OData 2, where each page names the address of the next one with a `$skiptoken`. */
export const successfactors: Template = {
  name: 'successfactors',
  title: 'SAP SuccessFactors',
  credentials: { authentication: 'basic' },
  mapping: {
    fields: {
      hrId: 'userId',
      firstName: 'firstName',
      lastName: 'lastName',
      email: 'email',
      startDate: day('hireDate'),
      terminationDate: null,
      dateOfBirth: null,
      profileImage: null,
      personnelNumber: null,
    },
    // Inactive users are "f".
    include: [{ attribute: 'status', is: 'none-of', values: ['f'] }],
    autoSyncEmployee: null,
    absences: { types: 'all' },
    requests: {
      employees: {
        path: '/User?$select=userId,firstName,lastName,email,hireDate,status&$inlinecount=allpages&$format=json&paging=snapshot',
        list: 'd.results',
        id: 'userId',
        total: 'd.__count',
        paging,
      },
      absences: {
        path: "/EmployeeTime?$select=userId,startDate,endDate,timeType,approvalStatus&$filter=startDate le datetime'{to}T00:00:00' and endDate ge datetime'{from}T00:00:00'&$inlinecount=allpages&$format=json&paging=snapshot",
        list: 'd.results',
        total: 'd.__count',
        paging,
        person: 'userId',
        start: day('startDate'),
        end: day('endDate'),
        type: 'timeType',
        typeName: null,
        approved: 'approvalStatus = "APPROVED"',
      },
    },
  },
};
