import { Type } from 'typebox';
import { Named, Nullable } from '../../platform/http/schemas.ts';

/**
 * These schemas are for the OpenAPI document only: bodies are checked entry by entry as they arrive
 * (src/features/roster/rules/entry.ts).
 */

const date = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-01'] });

const AbsenceSchema = Type.Object({
  startDate: date('First day of the absence.'),
  endDate: Nullable(date('Last day. Null if the end is open.')),
  approved: Type.Boolean({ description: 'False if the absence was rejected or deleted in the HR system.' }),
});

const EntrySchema = Type.Object({
  hrId: Type.String({
    minLength: 1,
    maxLength: 255,
    description: "The employee's id in the HR system, unique within the roster.",
  }),
  firstName: Type.String({ minLength: 1, maxLength: 200 }),
  lastName: Type.String({ minLength: 1, maxLength: 200 }),
  email: Type.String({ maxLength: 254, description: 'Unique within the roster, ignoring case.' }),
  personnelNumber: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description:
          'The number of the employee in payroll (Personalnummer). Left out: the rule of the company makes it of the HR id.',
      }),
    ),
  ),
  profileImage: Type.Optional(Nullable(Type.String({ description: 'HTTP or HTTPS URL of a photo.' }))),
  dateOfBirth: Type.Optional(Nullable(date('Date of birth.'))),
  startDate: Type.Optional(
    Nullable(
      date(
        'First day of employment; null: already employed. If it moves past the current month, a running subscription pauses until then.',
      ),
    ),
  ),
  terminationDate: Type.Optional(Nullable(date('Last day of employment; null if there is none.'))),
  autoSyncEmployee: Type.Optional(
    Nullable(
      Type.Boolean({
        description: 'True subscribes the employee, false cancels the subscription, null leaves it unchanged.',
      }),
    ),
  ),
  absences: Type.Optional(
    Nullable(Type.Array(AbsenceSchema, { description: 'All absences. Null or an empty list: there are none.' })),
  ),
});

const rosterExample = {
  syncId: '2026-11-14T02:00',
  employees: [
    {
      hrId: 'E-1001',
      firstName: 'Anna',
      lastName: 'Müller',
      email: 'anna.mueller@example.com',
      profileImage: null,
      dateOfBirth: '1990-04-23',
      startDate: '2024-02-01',
      terminationDate: null,
      autoSyncEmployee: true,
      absences: [{ startDate: '2026-12-01', endDate: '2027-02-28', approved: true }],
    },
  ],
};

export const RosterSchema = Named(
  'Roster',
  Type.Object(
    {
      syncId: Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Unique id of this push, such as a UUID or a timestamp.',
      }),
      employees: Type.Array(EntrySchema, {
        minItems: 1,
        description: 'Every current employee. Employees who are missing are offboarded.',
      }),
    },
    {
      description:
        'A field that is left out keeps its value; null clears it. A misspelt field name is refused with the right one; any other unknown field is ignored and reported in `warnings`.',
      examples: [rosterExample],
    },
  ),
);
