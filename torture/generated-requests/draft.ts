import fc from 'fast-check';
import type { Operation, Parameter } from '../arbitraries/operations.ts';
import { rosterText } from '../arbitraries/roster.ts';
import { arbitraryFor, arbitraryTextFor, encode, typeOf } from '../arbitraries/schema.ts';
import type { Targets } from './targets.ts';

/** The required response: one of these statuses, any refusal of a mistake (4xx), or anything but a failure (5xx). */
export type Expected = readonly number[] | 'refused' | 'handled';

/** A request whose parts can still be changed. Values and pairs are encoded. */
export interface Draft {
  method: string;
  path: string;
  params: Record<string, string>;
  query: string[];
  headers: Record<string, string>;
  body?: string | Uint8Array;
  expected: Expected;
}

function spellParameter({ name, schema }: Parameter): fc.Arbitrary<string[]> {
  const value = arbitraryTextFor(schema).valid.map(encode);
  const [type, { items }] = [typeOf(schema), schema];
  // A boolean without a value would be ambiguous.
  if (type === 'boolean') return value.map((text) => [`${name}=${text}`]);
  const empty = fc.constantFrom<string[][]>([`${name}=`], [name], ...(type === 'string' ? [] : [[`${name}=null`]]));
  if (items === undefined) {
    const plus = value.map((text) => [`${name}=${text.replaceAll('%20', '+')}`]);
    const spelt = fc.oneof(
      plus,
      value.map((text) => [`${name}=${text}`]),
    );
    return fc.oneof({ arbitrary: spelt, weight: 9 }, { arbitrary: empty, weight: 1 });
  }
  // A comma in an address would be ambiguous.
  const hasCommas = typeOf(items) === 'integer' || items.enum !== undefined;
  const spellings: ((all: string[]) => string[])[] = [
    (all) => all.map((text) => `${name}=${text}`),
    (all) => all.map((text) => `${name}[]=${text}`),
    (all) => all.map((text, index) => `${encode(`${name}[${index}]`)}=${text}`),
    ...(hasCommas ? [(all: string[]) => [`${name}=${all.join(',')}`]] : []),
  ];
  const list = fc.array(value, { minLength: 1, maxLength: hasCommas ? 150 : 3, size: 'small' });
  return fc.oneof(...spellings.map((spell) => list.map(spell)), empty);
}

export const parametersIn = ({ parameters }: Operation, place: Parameter['in']) =>
  parameters.filter((one) => one.in === place);

const validQuery = (operation: Operation): fc.Arbitrary<string[]> =>
  fc
    .tuple(...parametersIn(operation, 'query').map((one) => fc.option(spellParameter(one), { freq: 1, nil: [] })))
    .map((pairs) => pairs.flat());

const jsonTypes = ['application/json', 'application/json; charset=utf-8', 'Application/JSON'];

/** Fields of bodies whose random values would change more than the next requests can bear. */
const fixedFields: Record<string, object> = {
  // A consent is dated, and never in the future.
  '/v1/employees/{id}/subscription-requests': {
    action: 'cancel',
    from: undefined,
    until: undefined,
    consent: undefined,
  },
  '/v1/subscription-requests': { requests: [{ employeeId: 1, action: 'cancel' }] },
  '/v1/billing/corrections': { items: [1], employeeId: undefined, from: undefined, to: undefined },
  '/v1/billing/forecast': { scenario: undefined },
  '/portal/api/time-travel': { to: '2000-01-01' },
  '/portal/api/integrations/{id}/status': { status: 'active' },
};

function validBody({ body, isPortal, path }: Operation): fc.Arbitrary<Partial<Draft>> {
  if (body === undefined) return fc.constant({});
  const headers = fc.constantFrom(...jsonTypes).map((type) => ({ 'content-type': type }));
  if (body === 'roster') {
    const queries = isPortal ? [[]] : [['dryRun=true'], ['dryRun=true'], [], ['dryRun=false']];
    return fc.record({ headers, query: fc.constantFrom<string[][]>(...queries), body: rosterText });
  }
  const text = arbitraryFor(body).valid.map((value) => JSON.stringify({ ...(value as object), ...fixedFields[path] }));
  return fc.record({ headers, body: text });
}

export function arbitraryDraft(operation: Operation, targets: Targets, isPlain: boolean): fc.Arbitrary<Draft> {
  const { method, path, isPortal, success } = operation;
  const credentials = targets.credentialsFor(operation);
  return fc
    .tuple(targets.targetsOf(operation, isPlain), validQuery(operation), validBody(operation))
    .map(([target, query, body]) => {
      const draft = { method, path, params: target.params, query, ...body };
      const ofPush = [draft.query.includes('dryRun=true') ? 200 : 204];
      const expected = target.expected ?? (success.includes(204) && body.body ? ofPush : success);
      const headers = { ...credentials, ...target.headers, ...body.headers };
      return { ...draft, headers, expected: isPortal ? 'handled' : expected };
    });
}
