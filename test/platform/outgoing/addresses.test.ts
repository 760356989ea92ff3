import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPublicAddress } from '../../../src/platform/outgoing/addresses.ts';
import { describeWrongUrl } from '../../../src/platform/outgoing/urls.ts';

const rules = { environment: 'staging', allowPrivate: false } as const;

/** Loopback, private and other addresses that no client may make the service connect to, as hosts of a URL. */
const spellings = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'hooks.localhost',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.01',
  '0x7f.1',
  '127.0x0.1',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '10.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '0xc0a80001',
  '169.254.169.254',
  '0xA9FEA9FE',
  '100.64.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:c0a8:1::1]',
  '[2001:0:7f00:1::]',
  '[2001:db8::1]',
  '[100::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[4000::1]',
];

describe('addresses of outgoing connections', () => {
  it('refuses every spelling of an address that is not public', async () => {
    assert(spellings.length >= 40);
    const resolve = () => Promise.reject(new Error('a spelled address is never resolved'));
    for (const host of spellings) {
      const wrong = await describeWrongUrl(`https://${host}/hooks`, { ...rules, resolve });
      assert.match(wrong ?? `${host} is accepted`, /^must be at a public address/);
    }
  });

  it('accepts public addresses', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001::200e'])
      assert(isPublicAddress(address), address);
  });

  it('refuses a name if any of its addresses is not public', async () => {
    const [open, closed] = [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    const check = (...addresses: (typeof open)[]) =>
      describeWrongUrl('https://hooks.example.com', { ...rules, resolve: async () => addresses });
    assert.equal(await check(open), undefined);
    assert.match((await check(open, closed)) ?? '', /public address/);
    assert.match((await check({ address: '::ffff:10.0.0.1', family: 6 })) ?? '', /public address/);
  });

  it('accepts a name that does not resolve yet, because every connection checks again', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    assert.equal(await describeWrongUrl('https://new.example.com', { ...rules, resolve }), undefined);
  });

  it('says what is wrong with a URL and what to do', async () => {
    const resolve = async () => [{ address: '93.184.215.14', family: 4 }];
    const check = (url: string, environment: 'staging' | 'production' = 'production') =>
      describeWrongUrl(url, { allowPrivate: false, environment, resolve });
    assert.equal(await check('https://example.com:8443/a?b=c'), undefined);
    assert.equal(await check('https://example.com:443/'), undefined);
    assert.equal(await check('http://example.com:8080/', 'staging'), undefined);
    const wrong: [string, RegExp][] = [
      ['', /such as https:/],
      ['example.com', /such as https:/],
      ['https://', /such as https:/],
      ['https://[::1%25lo]/', /such as https:/],
      ['ftp://example.com', /must start with https:/],
      ['javascript:alert(1)', /must start with https:/],
      ['http://example.com:8080/', /https:\/\/ in production/],
      ['https://user@example.com', /must not contain credentials/],
      ['https://:secret@example.com', /must not contain credentials/],
      ['https://example.com/#part', /must not contain a fragment/],
      ['https://example.com:22', /port 443 or a port from 1024 to 65535, but uses 22/],
      [`https://example.com/${'a'.repeat(2048)}`, /at most 2048 characters/],
    ];
    for (const [url, pattern] of wrong) assert.match((await check(url)) ?? `${url} is accepted`, pattern);
    assert.match((await check('http://example.com/', 'staging')) ?? '', /but uses 80/);
  });
});
