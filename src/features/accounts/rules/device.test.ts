import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeDevice } from './device.ts';

it('names the browser and the system', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
  assert.equal(describeDevice(chrome), 'Chrome, Linux');
  assert.equal(describeDevice(`${chrome} Edg/130.0`), 'Edge, Linux');
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1';
  assert.equal(describeDevice(phone), 'Safari, iPhone');
  assert.equal(describeDevice('curl/8.5'), null);
  assert.equal(describeDevice(null), null);
});
