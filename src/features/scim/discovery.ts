import { filterLimits } from './rules/filter.ts';
import { enterpriseSchema, groupSchema, type Json, transitSchema, userSchema } from './rules/names.ts';

/** What a provider can find out about the service (RFC 7644, section 4; RFC 7643, sections 5 to 8). */

export const maxResults = 200;
export const maxBulkOperations = 100;
export const maxBulkBytes = 1_048_576;

type Type = 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';

interface Definition {
  description: string;
  type?: Type;
  isRequired?: boolean;
  isExact?: boolean;
  isReadOnly?: boolean;
  isUnique?: boolean;
  parts?: Record<string, Definition>;
  isMultiple?: boolean;
}

const define = (definitions: Record<string, Definition>): Json[] =>
  Object.entries(definitions).map(([name, one]) => ({
    name,
    type: one.parts ? 'complex' : (one.type ?? 'string'),
    multiValued: one.isMultiple ?? false,
    description: one.description,
    required: one.isRequired ?? false,
    ...(one.parts || one.type === 'boolean' ? {} : { caseExact: one.isExact ?? false }),
    mutability: one.isReadOnly ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness: one.isUnique ? 'server' : 'none',
    ...(one.type === 'reference' ? { referenceTypes: ['User', 'Group'] } : {}),
    ...(one.parts ? { subAttributes: define(one.parts) } : {}),
  }));

const reference: Definition = { description: 'Address of the resource.', type: 'reference', isReadOnly: true };

const schemas: { id: string; name: string; description: string; attributes: Json[] }[] = [
  {
    id: userSchema,
    name: 'User',
    description: 'An employee of the roster.',
    attributes: define({
      userName: { description: 'Name by which the user signs in.', isRequired: true, isUnique: true },
      externalId: { description: 'Id at the provider.', isExact: true },
      name: {
        description: 'Name of the employee. Required while the user is active.',
        parts: {
          givenName: { description: 'First name.' },
          familyName: { description: 'Last name.' },
          formatted: { description: 'Both.', isReadOnly: true },
        },
      },
      displayName: { description: 'Name that the provider shows.' },
      active: { description: 'False: the employee leaves the roster.', type: 'boolean' },
      emails: {
        description: 'Addresses. The primary one, else that of type work, is that of the employee.',
        isMultiple: true,
        parts: {
          value: { description: 'Address.' },
          type: { description: 'Such as work.' },
          primary: { description: 'Whether it is the one to use.', type: 'boolean' },
        },
      },
      groups: {
        description: 'Groups of the user.',
        isMultiple: true,
        isReadOnly: true,
        parts: {
          value: { description: 'Id of the group.', isReadOnly: true },
          display: { description: 'Name of the group.', isReadOnly: true },
          $ref: reference,
        },
      },
    }),
  },
  {
    id: groupSchema,
    name: 'Group',
    description: 'A group of users.',
    attributes: define({
      displayName: { description: 'Name of the group.', isRequired: true },
      externalId: { description: 'Id at the provider.', isExact: true },
      members: {
        description: 'Users of the group.',
        isMultiple: true,
        parts: {
          value: { description: 'Id of the user.' },
          display: { description: 'User name.', isReadOnly: true },
          $ref: reference,
        },
      },
    }),
  },
  {
    id: enterpriseSchema,
    name: 'EnterpriseUser',
    description: 'The enterprise extension, as far as the roster needs it.',
    attributes: define({ employeeNumber: { description: 'HR id of the employee.', isExact: true } }),
  },
  {
    id: transitSchema,
    name: 'TransitUser',
    description: 'What only a roster has.',
    attributes: define({
      startDate: { description: 'First day of employment, YYYY-MM-DD.' },
      terminationDate: { description: 'Last day of employment, YYYY-MM-DD.' },
      autoSyncEmployee: { description: 'True subscribes the employee, false cancels.', type: 'boolean' },
      absences: {
        description: 'All absences.',
        isMultiple: true,
        parts: {
          startDate: { description: 'First day, YYYY-MM-DD.' },
          endDate: { description: 'Last day. Absent: the end is open.' },
          approved: { description: 'Whether it is approved.', type: 'boolean' },
        },
      },
      group: { description: 'Group of the employee.' },
    }),
  },
];

const withMeta = (kind: string, path: string, base: string, resource: Json): Json => ({
  schemas: [`urn:ietf:params:scim:schemas:core:2.0:${kind}`],
  ...resource,
  meta: { resourceType: kind, location: `${base}/${path}` },
});

export const listSchemas = (base: string): Json[] =>
  schemas.map((schema) => withMeta('Schema', `Schemas/${schema.id}`, base, { ...schema }));

export const listResourceTypes = (base: string): Json[] =>
  [
    {
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: 'An employee of the roster.',
      schema: userSchema,
      schemaExtensions: [enterpriseSchema, transitSchema].map((schema) => ({ schema, required: false })),
    },
    { id: 'Group', name: 'Group', endpoint: '/Groups', description: 'A group of users.', schema: groupSchema },
  ].map((type) => withMeta('ResourceType', `ResourceTypes/${type.id}`, base, type));

export const describeProvider = (base: string, documentation: string): Json =>
  withMeta('ServiceProviderConfig', 'ServiceProviderConfig', base, {
    documentationUri: documentation,
    patch: { supported: true },
    bulk: { supported: true, maxOperations: maxBulkOperations, maxPayloadSize: maxBulkBytes },
    filter: { supported: true, maxResults },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: `The token of the integration. Filters have at most ${filterLimits.maxClauses} comparisons.`,
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
  });
