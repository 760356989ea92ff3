import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { IssuerOrder } from '../../../src/features/issuers/contract.ts';
import { freePort, run, startProgram } from '../../support/process.ts';
import { until } from '../../support/until.ts';

describe('issuer fake', () => {
  it('issues tickets on this machine until it is stopped', async () => {
    const port = await freePort();
    const words = ['issuer', 'fake', '--port', String(port), '--late', '1'];
    const program = startProgram(words, { env: {} });
    const { output } = program;
    await until('it says how to stop it', () => output.stdout.includes('Ctrl-C') || !program.isRunning());
    const [, url = ''] = /^Fake issuer +(\S+)$/m.exec(output.stdout) ?? [];
    const [, token] = /^Token +(\S+)$/m.exec(output.stdout) ?? [];
    assert.equal(url, `http://127.0.0.1:${port}`, output.stderr);
    const headers = { authorization: `Bearer ${token}` };
    const order = {
      ...{ orderId: 'order-1', month: '2026-12', product: 'deutschlandticket-job' },
      person: { reference: '1-1', firstName: 'Anna', lastName: 'Muster', dateOfBirth: null },
    };
    const placed = await fetch(`${url}/orders`, { method: 'POST', headers, body: JSON.stringify(order) });
    assert.deepEqual([placed.status, ((await placed.json()) as IssuerOrder).status], [201, 'ordered']);
    const fetched = (await (await fetch(`${url}/orders/order-1`, { headers })).json()) as IssuerOrder;
    assert.deepEqual([fetched.status, fetched.ticket?.validUntil], ['issued', '2026-12-31']);
    assert.match(await (await fetch(`${url}/invoice?month=2026-12`)).text(), /order-1;T202612-order-1;2026-12;59,85/);
    assert.match(await (await fetch(`${url}/seen`)).text(), /"orders":1,/);
    // As the printed line says.
    await fetch(`${url}/faults`, { method: 'POST', body: '{"outage":503}' });
    assert.equal((await fetch(`${url}/orders/order-1`, { headers })).status, 503);

    const second = await run(words, {});
    assert.notEqual(second.code, 0);
    assert.match(second.stderr, new RegExp(`Port ${port} cannot be used .*Choose another --port`));
    program.signal('SIGTERM');
    assert.equal((await program.finished).code, 0, output.stderr);
    await assert.rejects(fetch(url));
  });

  it('does not start in production', async () => {
    const env = {
      ...{
        ENVIRONMENT: 'production',
        PUBLIC_URL: 'https://tickets.example.com',
        SECRET: randomBytes(32).toString('hex'),
      },
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    };
    const { code, stdout, stderr } = await run(['issuer', 'fake'], env);
    assert.notEqual(code, 0);
    assert.deepEqual([stdout, stderr.trim().split('\n').length], ['', 1]);
    assert.match(stderr, /valid nowhere.*staging/);
  });
});
