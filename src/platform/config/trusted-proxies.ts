import { isIP } from 'node:net';

/** The peers whose `X-Forwarded-For` is trusted: a number of proxies in a row, or the proxies of these networks. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: readonly string[] };

const maxHops = 10;

export const trustProxyRule = `off, on (one proxy), a number of proxies from 1 to ${maxHops}, or a list of their networks such as 10.0.0.0/8,2001:db8::/32`;

function isNetwork(text: string): boolean {
  const [, address = '', prefix] = /^([^/]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && !address.includes('%') && Number(prefix ?? 1) <= (family === 4 ? 32 : 128);
}

/** Returns the proxies that `TRUST_PROXY` trusts, undefined for none, and false for an invalid value. */
export function parseTrustProxy(text: string): TrustedProxies | undefined | false {
  if (text === 'off') return undefined;
  if (text === 'on') return { hops: 1 };
  if (/^\d+$/.test(text)) return Number(text) >= 1 && Number(text) <= maxHops && { hops: Number(text) };
  const networks = text.split(',').map((network) => network.trim());
  return networks.every(isNetwork) && { networks };
}
