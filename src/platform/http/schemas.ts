import { type Static, type TSchema, Type } from 'typebox';
import type { Annotations } from './annotations.ts';

/** The largest integer that JSON clients represent exactly. Ids stay below it. */
export const maxInteger = Number.MAX_SAFE_INTEGER;

/** Returns a schema that also allows null, as one type list. With `anyOf`, serialising would validate each value. */
export function Nullable<T extends TSchema>(schema: T, description?: string) {
  const { type, enum: words, ...rest } = schema as T & { type: string; enum?: readonly unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...rest,
    type: [type, 'null'],
    ...(words ? { enum: [...words, null] } : {}),
    ...(description ? { description } : {}),
  });
}

export const Enum = <const T extends readonly string[]>(
  words: T,
  options: { description?: string; default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options });

/** Options of a text that the database can store: it cannot store the NUL character. */
export const withoutNul = {
  pattern: '^[^\\u0000]*$',
  patternDescription: 'value-without-nul',
} satisfies Annotations & { pattern: string };

export const PlainDate = (description: string, examples = ['2026-11-01']) =>
  Type.String({ format: 'date', description, examples });

export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-14T08:00:00Z'] });

/** Names a schema, which makes it a component of the OpenAPI document. Routes refer to it by name. */
export function Named<T extends TSchema>(name: string, schema: T): T & { $id: string } {
  return { ...schema, $id: name };
}

export const Reference = <T extends TSchema & { $id: string }>(schema: T) =>
  Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` });

export const LinkSchema = Named(
  'Link',
  Type.Object(
    {
      href: Type.String({ description: 'Absolute URL.' }),
      type: Type.String({ description: 'Media type of the linked resource.' }),
    },
    {
      additionalProperties: false,
      examples: [{ href: 'http://localhost:3000/v1/employees/1', type: 'application/json' }],
    },
  ),
);

export const MoneySchema = Named(
  'Money',
  Type.Object(
    {
      label: Type.String({ description: "Formatted for display, in the company's locale, with the currency symbol." }),
      value: Type.Integer({ description: 'Amount in cents.' }),
    },
    { additionalProperties: false, examples: [{ label: '59,85 €', value: 5985 }] },
  ),
);

export type Money = Static<typeof MoneySchema>;

/** Returns an object schema that also allows null. It is inlined because a reference could not carry null. */
export const NullableObject = <T extends TSchema>(schema: T, description: string) => {
  const { $id: _, ...rest } = schema as T & { $id?: string };
  return Nullable(rest as unknown as T, description);
};

export const DataOf = <T extends TSchema>(schema: T) => Type.Object({ data: schema }, { additionalProperties: false });

/** `{ data: { data: […], page, perPage, totalPages, total } }` */
export const PageOf = <T extends TSchema>(schema: T) =>
  DataOf(
    Type.Object(
      {
        data: Type.Array(schema),
        page: Type.Integer({ description: 'The returned page. `page=0` returns page 1.' }),
        perPage: Type.Integer(),
        totalPages: Type.Integer({ description: '`ceil(total / perPage)`; 0 when `perPage` is 0.' }),
        total: Type.Integer({ description: 'Number of records that match the filters, on all pages.' }),
      },
      { additionalProperties: false },
    ),
  );

export const IdParams = (what: string) =>
  Type.Object({
    id: Type.Integer({ minimum: 0, maximum: maxInteger, description: `Id of the ${what}.`, examples: [1] }),
  });
