import { type Static, Type } from 'typebox';
import { accessMethods, environments, languages } from '../../domain/enums.ts';
import { Closed, Name } from '../../platform/http/portal/schemas.ts';
import { Enum, maxInteger, Nullable, Timestamp, withoutNul } from '../../platform/http/schemas.ts';

/**
 * Begins the state of sign-ins of employees. Identity providers know one callback of a company, `/sso/callback/<company id>`,
 * which continues at `/my/sso/<company id>` with the same query if the state begins so.
 */
export const employeeStatePrefix = 'my.';

export const RequestLinkBody = Closed({ email: Name(254) });

export const OpenLinkBody = Closed({
  token: Type.String({ minLength: 1, maxLength: 100, description: 'What follows # in the address of the link.' }),
});

export const LetterBody = Closed({
  companyId: Type.Integer({
    minimum: 1,
    maximum: maxInteger,
    description: 'The last part of the address of the page.',
  }),
  hrId: Name(255),
  code: Type.String({ minLength: 1, maxLength: 40, description: 'Case, spaces and dashes do not matter.' }),
});

const EmploymentId = Type.Integer({ minimum: 1, maximum: maxInteger });

export const EmployeeSessionSchema = Closed({
  employee: Closed({ firstName: Type.String(), lastName: Type.String(), email: Type.String() }),
  company: Closed({
    id: Type.Integer(),
    name: Type.String(),
    locale: Type.String(),
    currency: Type.String(),
    timeZone: Type.String(),
    hasLogo: Type.Boolean(),
  }),
  language: Enum(languages),
  environment: Enum(environments),
  employments: Type.Array(Closed({ id: Type.Integer(), companyName: Type.String(), isCurrent: Type.Boolean() }), {
    description: 'The employments that this device may open, the current one included.',
  }),
});
export type EmployeeSession = Static<typeof EmployeeSessionSchema>;

export const EmploymentBody = Closed({ id: EmploymentId });

export const DeviceSchema = Closed({
  id: Type.String(),
  device: Nullable(Type.String(), 'Browser and system, such as `Safari, iPhone`. Null: unknown.'),
  method: Enum(accessMethods),
  signedInAt: Timestamp('When the session began.'),
  lastUsedAt: Timestamp('When the session was last used, to the minute.'),
  isCurrent: Type.Boolean({ description: 'Whether it is the session of this request.' }),
});
export type Device = Static<typeof DeviceSchema>;

export const DeviceParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100, ...withoutNul }) });
