import { type TSchema, Type } from 'typebox';

/** Schemas that several operations of the portal's own API share. */

/** Returns an object schema that allows no other properties. */
export const Closed = <T extends Record<string, TSchema>>(properties: T, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description ? { description } : {}) });

/** A name that a user enters: one line of visible text. */
export const Name = (maxLength: number) => Type.String({ maxLength, format: 'single-line-text' });

export const minPasswordLength = 12;
export const maxPasswordLength = 128;
export const NewPassword = Type.String({ minLength: minPasswordLength, maxLength: maxPasswordLength });
export const Password = Type.String({ minLength: 1, maxLength: maxPasswordLength });
