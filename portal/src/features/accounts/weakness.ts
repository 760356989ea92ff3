import type { ProblemError } from '../../app/api/request.ts';

const texts = {
  'password-common': 'passwordCommon',
  'password-contains-address': 'passwordContainsAddress',
} as const;

/** Explains why a new password was refused, if it was refused as easy to guess. */
export function explainWeakness({ code }: ProblemError, t: (key: (typeof texts)[keyof typeof texts]) => string) {
  return code in texts ? t(texts[code as keyof typeof texts]) : undefined;
}

/** The attributes of the field for a new password. */
export const newPasswordField = {
  autoComplete: 'new-password',
  required: true,
  minLength: 12,
  maxLength: 128,
} as const;
