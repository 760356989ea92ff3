import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkOf } from '../../../src/platform/http/rate-limit.ts';

describe('the network against which failed credentials count', () => {
  it('is the address itself for IPv4, and the first 64 bits for IPv6', () => {
    const cases = [
      ['192.0.2.1', '192.0.2.1'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
      ['2001:db8::1', '2001:db8:0:0'],
      ['2001:db8:1:2::9', '2001:db8:1:2'],
      ['::1', '0:0:0:0'],
      ['[2001:db8::1]:443', '2001:db8:0:0'],
      ['192.0.2.1:5060', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['unknown', 'unknown'],
    ];
    for (const [address, network] of cases) assert.equal(networkOf(address ?? ''), network);
  });
});
