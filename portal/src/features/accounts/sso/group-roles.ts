import { type Role, roles } from '../../../../../src/domain/enums.ts';
import type { SsoBody } from '../../../../../src/features/accounts/sso/contract.ts';

type GroupRoles = SsoBody['groupRoles'];

/** Writes one line per group, such as `people-team: hr, payroll`. */
export const formatGroupRoles = (list: GroupRoles) =>
  list.map(({ group, roles: given }) => `${group}: ${given.join(', ')}`).join('\n');

/** Reads the lines. Returns the number of the first wrong line instead, if there is one. */
export function parseGroupRoles(text: string): GroupRoles | number {
  const result: GroupRoles = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const colon = line.lastIndexOf(':');
    const group = line.slice(0, Math.max(colon, 0)).trim();
    const given = line
      .slice(colon + 1)
      .split(',')
      .map((one) => one.trim());
    const known = given.filter((one): one is Role => roles.some((role) => role === one));
    if (group === '' || known.length !== given.length) return index + 1;
    result.push({ group, roles: [...new Set(known)] });
  }
  return result;
}
