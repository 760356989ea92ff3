import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { TrustedProxies } from '../config/trusted-proxies.ts';

/**
 * Returns the `trustProxy` option for Fastify. A function counts the hops, because a plain number makes this version of
 * Fastify trust no proxy. Any value in `X-Forwarded-For` left of the trusted proxies came from the client and is
 * ignored.
 */
export function presentTrust(trusted: TrustedProxies | undefined) {
  if (trusted === undefined) return false;
  if ('networks' in trusted) return [...trusted.networks];
  return (_address: string, hop: number) => hop < trusted.hops;
}

/** Returns a function that returns the address of the client, as Fastify does with the same option. */
export function createAddressReader(
  trusted: TrustedProxies | undefined,
): (request: IncomingMessage) => string | undefined {
  const trust = presentTrust(trusted);
  if (trust === false) return ({ socket }) => socket.remoteAddress;
  const isTrusted = typeof trust === 'function' ? trust : proxyAddr.compile(trust);
  return (request) => proxyAddr.all(request, isTrusted).at(-1);
}
