import type { Environment } from '../../domain/enums.ts';
import { createMessage, formatMessage, type Message } from '../../domain/messages/message.ts';
import { AddressNotAllowedError, type AddressRules, assertHostAllowed } from './addresses.ts';

export interface UrlRules extends AddressRules {
  environment: Environment;
}

const longestUrl = 2048;

export function findUrlProblem(url: URL, environment: Environment): Message | undefined {
  const isSecure = url.protocol === 'https:';
  if (!isSecure && url.protocol !== 'http:') return createMessage('url-not-https');
  if (!isSecure && environment === 'production') return createMessage('url-not-https-in-production');
  if (url.username !== '' || url.password !== '') return createMessage('url-credentials');
  if (url.hash !== '') return createMessage('url-fragment');
  const port = Number(url.port || (isSecure ? 443 : 80));
  if (port !== 443 && port < 1024) return createMessage('url-port', { port: String(port) });
  return undefined;
}

export async function findWrongUrl(text: string, rules: UrlRules): Promise<Message | undefined> {
  if (text.length > longestUrl) return createMessage('value-too-long', { limit: longestUrl });
  if (!URL.canParse(text)) return createMessage('url-not-url');
  const url = new URL(text);
  const problem = findUrlProblem(url, rules.environment);
  if (problem !== undefined) return problem;
  try {
    await assertHostAllowed(url.hostname, rules);
    return undefined;
  } catch (error) {
    if (!(error instanceof AddressNotAllowedError)) throw error;
    return createMessage('url-private');
  }
}

/** Returns the same in English, as the end of a sentence that starts with the place of the URL. */
export async function describeWrongUrl(text: string, rules: UrlRules): Promise<string | undefined> {
  const problem = await findWrongUrl(text, rules);
  return problem && formatMessage(problem);
}
