import type { Environment } from '../domain/enums.ts';
import { AddressNotAllowedError, type AddressRules, assertHostAllowed } from './addresses.ts';

export interface UrlRules extends AddressRules {
  environment: Environment;
}

const longestUrl = 2048;

function findSyntaxProblem(url: URL, environment: Environment): string | undefined {
  const isSecure = url.protocol === 'https:';
  if (!isSecure && url.protocol !== 'http:') return 'must start with https://';
  if (!isSecure && environment === 'production') return 'must start with https:// in production';
  if (url.username !== '' || url.password !== '')
    return 'must not contain credentials: verify the signature of each delivery instead';
  if (url.hash !== '') return 'must not contain a fragment: remove the # and what follows it';
  const port = Number(url.port || (isSecure ? 443 : 80));
  if (port !== 443 && port < 1024) return `must use port 443 or a port from 1024 to 65535, but uses ${port}`;
  return undefined;
}

/**
 * Returns what is wrong with a URL that the service is to call, as the end of a sentence that starts with its place.
 * Undefined if it may be called. Resolves the host.
 */
export async function describeWrongUrl(text: string, rules: UrlRules): Promise<string | undefined> {
  if (text.length > longestUrl) return `must have at most ${longestUrl} characters`;
  if (!URL.canParse(text)) return 'must be a URL such as https://example.com/webhooks';
  const url = new URL(text);
  const problem = findSyntaxProblem(url, rules.environment);
  if (problem !== undefined) return problem;
  try {
    await assertHostAllowed(url.hostname, rules);
    return undefined;
  } catch (error) {
    if (!(error instanceof AddressNotAllowedError)) throw error;
    return 'must be at a public address: use a host that the Internet can reach';
  }
}
