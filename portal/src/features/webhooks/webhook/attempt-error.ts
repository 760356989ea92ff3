import { useTexts } from '../../../app/i18n/texts.ts';
import { errors } from './texts.ts';

const known: Readonly<Record<string, Exclude<keyof typeof errors, 'status' | 'redirect' | 'certificate' | 'other'>>> = {
  RESPONSE_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connectTimeout',
  ETIMEDOUT: 'connectTimeout',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  ENOTFOUND: 'notFound',
  EAI_AGAIN: 'notFound',
  ADDRESS_NOT_PUBLIC: 'notPublic',
};

/** Returns a function that describes the code of a failed attempt in the user's language. */
export function useAttemptError(): (code: string) => string {
  const t = useTexts(errors);
  return (code) => {
    const status = /^HTTP_(\d+)$/.exec(code)?.[1];
    if (status !== undefined) return t(status.startsWith('3') ? 'redirect' : 'status', { status });
    const name = known[code];
    if (name !== undefined) return t(name);
    return t(/CERT|SIGNATURE|SSL|TLS|ALTNAME/.test(code) ? 'certificate' : 'other', { code });
  };
}
