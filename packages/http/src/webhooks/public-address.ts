import { lookup as resolveName, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { ServiceError } from '@svc/core';

/** The URL of a webhook leads to an address that is not public. */
export class AddressRejectedError extends ServiceError {
  constructor(host: string) {
    super(
      'SVC_WEBHOOK_ADDRESS_REJECTED',
      `Cannot deliver webhooks to ${host}: it is not a public address. Use a public one, or set allowPrivateAddresses if you trust the URL.`,
    );
  }
}

/** One list for each family: a list with both compares IPv4 addresses with IPv6 subnets as well. */
const rejected = { ipv4: new BlockList(), ipv6: new BlockList() };
/** Addresses that do not belong to one host on the internet: loopback, private, link-local, multicast, unspecified and reserved ones. */
const rejectedSubnets: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // All of IPv6 outside of 2000::/3, with IPv4-mapped, translated, private, link-local and multicast addresses.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  // Teredo, ORCHID and documentation; 6to4, which contains an IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
for (const [network, bits] of rejectedSubnets) {
  const family = familyOf(network);
  rejected[family].addSubnet(network, bits, family);
}

/** Whether an IP address belongs to a host on the internet. */
export function isPublicAddress(address: string): boolean {
  // A link-local address may name its interface: `fe80::1%eth0`.
  const plain = address.split('%', 1)[0]!;
  const family = familyOf(plain);
  return isIP(plain) !== 0 && !rejected[family].check(plain, family);
}

/** Throws if the host of a URL is an address that is not public. A name is checked when it is resolved, because its address can change. */
export function requirePublicHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRejectedError(host);
}

type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name for a connection, and fails if one of its addresses is not public. The connection uses the addresses that were checked, so a name
 * that changes in between (DNS rebinding) does not help.
 */
export function publicLookup(resolve: Resolve = resolveName): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const foreign = error === null && !addresses.every(({ address }) => isPublicAddress(address));
      const failure = foreign ? new AddressRejectedError(hostname) : error;
      if (failure !== null) done(failure, []);
      else if (options.all === true) done(null, addresses);
      else done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
