import { messages } from './rules/names.ts';

/** The values of `scimType` (RFC 7644, 3.12) that the service uses. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** A refusal in the form of SCIM: what is wrong, and what to do. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const badRequest = (scimType: ScimType, detail: string) => new ScimError(400, detail, scimType);
export const notUnique = (detail: string) => new ScimError(409, detail, 'uniqueness');

export const presentScimError = (status: number, detail: string, scimType?: ScimType) => ({
  schemas: [messages.error],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail,
});
