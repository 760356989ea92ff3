import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { IssuerOrderSchema, IssuerOrdersSchema } from '../../../src/features/issuers/contract.ts';
import { type FakeIssuerOptions, startFakeIssuer } from '../../../src/features/issuers/fake/fake-issuer.ts';

type Schema = Record<string, unknown>;
interface Operation {
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>;
}

const file = new URL('../../../docs/issuers/openapi.json', import.meta.url);
/** The issuer interface, in which no object has fields that are not documented. */
const document = JSON.parse(await readFile(file, 'utf8'), (_key, value) =>
  value?.properties === undefined ? value : { ...value, additionalProperties: false },
);
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'issuer');

/** Returns what a schema demands of a value, without its words, and the same however it says that null is allowed. */
function demandsOf(schema: Schema): unknown {
  const { description, examples, contentEncoding, additionalProperties, $ref, anyOf, type, ...rest } = schema;
  if (typeof $ref === 'string') return demandsOf(document.components.schemas[$ref.split('/').at(-1) ?? '']);
  const [one, other] = (anyOf ?? []) as Schema[];
  if (one !== undefined && other?.type === 'null') return { ...(demandsOf(one) as object), isNullable: true };
  const types = [type ?? 'string'].flat().filter((name) => name !== 'null');
  const isNullable = Array.isArray(type) && type.includes('null');
  const { properties, items, ...limits } = rest as { properties?: Record<string, Schema>; items?: Schema };
  return {
    ...limits,
    types,
    ...(isNullable ? { isNullable } : {}),
    ...(items === undefined ? {} : { items: demandsOf(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, demandsOf(one)])) }),
  };
}

const asJson = (schema: object): Schema => JSON.parse(JSON.stringify(schema));
const pageSchema = document.paths['/orders'].get.responses['200'].content['application/json'].schema;

describe('the interface of issuers', () => {
  it('is documented as the service reads it', () => {
    assert.deepEqual(demandsOf(document.components.schemas.Order), demandsOf(asJson(IssuerOrderSchema)));
    assert.deepEqual(demandsOf(pageSchema), demandsOf(asJson(IssuerOrdersSchema)));
  });

  /** Sends a request to a fake. Throws unless the document describes its response. */
  async function exchange(issuer: { url: string; token: string }, method: string, path: string, body?: object) {
    const response = await fetch(`${issuer.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${issuer.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const template = (path.split('?')[0] ?? '').replace(/^\/orders\/[^/]+/, '/orders/{orderId}');
    const operation: Operation = document.paths[template][method.toLowerCase()];
    const described = operation.responses[String(response.status)];
    assert(described, `${method} ${template} answered ${response.status}, which is not documented.`);
    // biome-ignore lint/suspicious/noExplicitAny: the document has checked it.
    const received: any = await response.json();
    const schema = described.content?.['application/json'].schema;
    if (schema !== undefined) {
      const validate = ajv.compile(
        JSON.parse(JSON.stringify(schema), (key, value) => (key === '$ref' ? `issuer${value}` : value)),
      );
      assert(validate(received), `${method} ${template}: ${ajv.errorsText(validate.errors)}`);
    }
    return { status: response.status, body: received };
  }

  const anOrder = (orderId: string) => ({
    ...{ orderId, month: '2026-12', product: 'deutschlandticket-job' },
    person: { reference: '1-1', firstName: 'Anna', lastName: 'Muster', dateOfBirth: '1990-05-17' },
  });

  it('is what the fake issuer provides, whatever its tickets come as and whatever goes wrong', async () => {
    const cases: FakeIssuerOptions[] = [{}, { late: 1 }, { carrier: 'chip-card' }, { carrier: 'activation-code' }];
    for (const options of cases) {
      await using issuer = await startFakeIssuer(options);
      const send = (method: string, path: string, body?: object) => exchange(issuer, method, path, body);
      const order = anOrder('order-1');
      await send('POST', '/orders', order);
      const { body: issued } = await send('POST', '/orders', order);
      assert.equal(issued.status, 'issued');
      const { barcode, chipCardNumber, activationCode } = issued.ticket;
      const { carrier = 'barcode' } = options;
      assert.deepEqual(
        [barcode !== null, chipCardNumber !== undefined, activationCode !== undefined],
        ['barcode', 'chip-card', 'activation-code'].map((name) => name === carrier),
      );
      const replaced = await send('POST', '/orders/order-1/replace', { orderId: 'order-2', reason: 'unreadable' });
      const blocked = await send('POST', '/orders/order-2/block', { reason: 'lost' });
      const missing = await send('GET', '/orders/order-3');
      const conflict = await send('POST', '/orders', { ...order, product: 'another' });
      const page = await send('GET', '/orders?month=2026-12');
      issuer.faults.failEvery = 3;
      const failed = await send('POST', '/orders', anOrder('order-4'));
      assert.deepEqual(
        [replaced, blocked, missing, conflict, page, failed].map(({ status }) => status),
        [201, 200, 404, 409, 200, 201],
      );
      assert.deepEqual([page.body.orders.length, failed.body.status], [2, 'failed']);
      issuer.faults.outage = 503;
      assert.equal((await send('GET', '/orders/order-1')).status, 503);
    }
  });
});
