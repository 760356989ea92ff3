export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
/** Our own extension. Entra ID accepts custom attributes only under a name of this form. */
export const transitSchema = 'urn:ietf:params:scim:schemas:extension:transit:2.0:User';

const message = (name: string) => `urn:ietf:params:scim:api:messages:2.0:${name}`;
export const messages = {
  error: message('Error'),
  list: message('ListResponse'),
  search: message('SearchRequest'),
  patch: message('PatchOp'),
  bulkRequest: message('BulkRequest'),
  bulkResponse: message('BulkResponse'),
};

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An attribute: its name, and that of its parts if it is complex. */
export interface Attribute {
  name: string;
  isMultiple?: boolean;
  /** Set only by the service. */
  isReadOnly?: boolean;
  parts?: readonly string[];
}

/** The attributes of a resource by schema. The core schema comes first; its attributes are not nested. */
export interface Shape {
  core: string;
  schemas: Record<string, readonly Attribute[]>;
}

const common: Attribute[] = [
  { name: 'schemas', isReadOnly: true },
  { name: 'id', isReadOnly: true },
  { name: 'meta', isReadOnly: true, parts: ['resourceType', 'created', 'lastModified', 'location', 'version'] },
];

export const userShape: Shape = {
  core: userSchema,
  schemas: {
    [userSchema]: [
      ...common,
      { name: 'externalId' },
      { name: 'userName' },
      { name: 'active' },
      { name: 'displayName' },
      { name: 'name', parts: ['givenName', 'familyName', 'formatted'] },
      { name: 'emails', isMultiple: true, parts: ['value', 'type', 'primary'] },
      { name: 'groups', isMultiple: true, isReadOnly: true, parts: ['value', 'display', '$ref'] },
    ],
    [enterpriseSchema]: [{ name: 'employeeNumber' }],
    [transitSchema]: [
      { name: 'startDate' },
      { name: 'terminationDate' },
      { name: 'autoSyncEmployee' },
      { name: 'absences', isMultiple: true, parts: ['startDate', 'endDate', 'approved'] },
      { name: 'group' },
    ],
  },
};

export const groupShape: Shape = {
  core: groupSchema,
  schemas: {
    [groupSchema]: [
      ...common,
      { name: 'externalId' },
      { name: 'displayName' },
      { name: 'members', isMultiple: true, parts: ['value', 'display', 'type', '$ref'] },
    ],
  },
};

/** Where a value is: `schema` is undefined for the core. */
export interface Place {
  schema?: string;
  attribute: Attribute;
  part?: string;
}

export const keyOfPlace = ({ schema, attribute, part }: Place) =>
  `${schema === undefined ? '' : `${schema}:`}${attribute.name}${part === undefined ? '' : `.${part}`}`;

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Returns the schema that a name begins with, and the rest of the name. Names are compared without case (RFC 7643, 2.1). */
function splitSchema(name: string, { schemas }: Shape): { schema: string; rest: string } | undefined {
  for (const schema of Object.keys(schemas)) {
    if (sameName(name, schema)) return { schema, rest: '' };
    if (sameName(name.slice(0, schema.length + 1), `${schema}:`))
      return { schema, rest: name.slice(schema.length + 1) };
  }
  return undefined;
}

/** Returns what a name such as `name.givenName` or `urn:…:User:employeeNumber` means. Undefined: nothing that is known. */
export function findPlace(name: string, shape: Shape): Place | { schema: string } | undefined {
  const { schema = shape.core, rest = name } = splitSchema(name, shape) ?? {};
  if (rest === '') return { schema };
  const [first = '', ...others] = rest.split('.');
  const attribute = shape.schemas[schema]?.find((one) => sameName(one.name, first));
  if (attribute === undefined || others.length > 1) return undefined;
  const place = { ...(schema === shape.core ? {} : { schema }), attribute };
  if (others.length === 0) return place;
  const part = attribute.parts?.find((one) => sameName(one, others[0] ?? ''));
  return part === undefined ? undefined : { ...place, part };
}

/** Returns the value of a name in an object whose names may be written in any case. */
export function readName(object: Json, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const found = Object.keys(object).find((one) => sameName(one, name));
  return found === undefined ? undefined : object[found];
}
