import { lookup as lookupInDns } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Decides where the service connects for a company: never into our own network (docs/decisions/0038-webhooks.md). */

interface ResolvedAddress {
  address: string;
  family: number;
}

export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

export interface AddressRules {
  /** Whether private and loopback addresses are allowed too, as on the machine of a developer. Never in production. */
  allowPrivate: boolean;
  /** Absent: the resolver of the operating system. Tests replace it. */
  resolve?: Resolve;
}

/** Thrown instead of connecting. The message names the host and no address: clients must not explore our network. */
export class AddressNotAllowedError extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';
  constructor(host: string) {
    super(`${host} is not at a public address`);
  }
}

/** The IPv6 addresses that are assigned to the Internet. Everything outside is reserved, whatever its range is called. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Returns whether an address is public unicast. Those that contain an IPv4 address lead wherever that leads. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalIpv6);
}

/** Returns the address that a host of a URL spells, without brackets. Undefined for a name. */
function literalOf(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}

const isLocalName = (host: string) => /(^|\.)localhost\.?$/i.test(host);

/** Throws if the host spells an address that is not allowed. Sockets call no lookup for such a host. */
export function assertLiteralAllowed(host: string, { allowPrivate }: AddressRules): void {
  if (allowPrivate) return;
  const literal = literalOf(host);
  if (literal === undefined ? isLocalName(host) : !isPublicAddress(literal)) throw new AddressNotAllowedError(host);
}

const resolveInSystem: Resolve = (host) => lookupInDns(host, { all: true });

/** Returns the addresses of a host. Throws if any of them is not allowed: one that is could be chosen next time. */
async function resolveAllowed(host: string, rules: AddressRules): Promise<ResolvedAddress[]> {
  const addresses = await (rules.resolve ?? resolveInSystem)(host);
  if (!rules.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new AddressNotAllowedError(host);
  return addresses;
}

/** Throws if the host is not at public addresses. One that does not resolve passes: connections check again. */
export async function assertHostAllowed(host: string, rules: AddressRules): Promise<void> {
  assertLiteralAllowed(host, rules);
  if (rules.allowPrivate || literalOf(host) !== undefined) return;
  await resolveAllowed(host, rules).catch((error) => {
    if (error instanceof AddressNotAllowedError) throw error;
  });
}

/** Returns a `lookup` for sockets, which then connect to exactly the addresses that were checked. */
export function createLookup(rules: AddressRules): LookupFunction {
  return (host, options, callback) => {
    resolveAllowed(host, rules).then(
      (addresses) => {
        const { family } = options;
        const wanted = addresses.filter((one) => !family || `IPv${one.family}` === family || one.family === family);
        const [first] = wanted;
        if (first === undefined) {
          callback(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), []);
        } else if (options.all) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}
