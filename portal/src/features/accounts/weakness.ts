import { ApiProblem } from '../../app/api/request.ts';

const texts = {
  'password-common': 'passwordCommon',
  'password-contains-address': 'passwordContainsAddress',
} as const;

/** Returns which text explains why a new password was refused, if it was refused as easy to guess. */
export function weaknessOf(error: unknown): (typeof texts)[keyof typeof texts] | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const code = error.errors.find((one) => one.code in texts)?.code;
  return code === undefined ? undefined : texts[code as keyof typeof texts];
}
