import { type Static, type TSchema, Type } from 'typebox';
import { MessageSchema } from '../message-schema.ts';
import { ProblemSchema } from '../problem-schema.ts';
import { Named, Reference } from '../schemas.ts';

export const Closed = <T extends Record<string, TSchema>>(properties: T, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description ? { description } : {}) });

/** A name that a user enters: one line of visible text. */
export const Name = (maxLength: number) => Type.String({ maxLength, format: 'single-line-text' });

export const minPasswordLength = 12;
export const maxPasswordLength = 128;
export const NewPassword = Type.String({ minLength: minPasswordLength, maxLength: maxPasswordLength });
export const Password = Type.String({ minLength: 1, maxLength: maxPasswordLength });

const { errors, ...fields } = ProblemSchema.properties;

export const PortalProblemSchema = Named(
  'Problem',
  Type.Object(
    {
      ...fields,
      message: Type.Optional(Reference(MessageSchema)),
      errors: Type.Optional(
        Type.Array(Type.Object({ ...errors.items.properties, message: Reference(MessageSchema) }), { maxItems: 100 }),
      ),
    },
    { description: 'An error in the form of RFC 9457, with messages for pages in any language.' },
  ),
);
export type PortalProblem = Static<typeof PortalProblemSchema>;
