import fc from 'fast-check';
import type { Operation, Parameter } from '../arbitraries/operations.ts';
import { rosterText } from '../arbitraries/roster.ts';
import { arbitraryFor, arbitraryTextFor, typeOf } from '../arbitraries/schema.ts';
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

export const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** Returns a query parameter in one of several equivalent spellings. */
function spellParameter({ name, schema }: Parameter): fc.Arbitrary<string[]> {
  const { valid } = arbitraryTextFor(schema);
  const value = valid.map(encode);
  // A boolean without a value would be ambiguous.
  if (typeOf(schema) === 'boolean') return value.map((text) => [`${name}=${text}`]);
  const isString = typeOf(schema) === 'string';
  const empty = fc.constantFrom<string[][]>([`${name}=`], [name], ...(isString ? [] : [[`${name}=null`]]));
  const { items } = schema;
  if (items === undefined) {
    const spelt = fc
      .tuple(value, fc.boolean())
      .map(([text, isForm]) => [`${name}=${isForm ? text.replaceAll('%20', '+') : text}`]);
    return fc.oneof({ arbitrary: spelt, weight: 9 }, { arbitrary: empty, weight: 1 });
  }
  const maxLength = typeOf(items) === 'integer' || items.enum ? 150 : 3;
  const list = fc.array(value, { minLength: 1, maxLength, size: 'small' });
  const spellings = [
    list.map((all) => all.map((text) => `${name}=${text}`)),
    list.map((all) => all.map((text) => `${name}[]=${text}`)),
    list.map((all) => all.map((text, index) => `${encode(`${name}[${index}]`)}=${text}`)),
    // A comma in an address would be ambiguous.
    ...(items.enum || typeOf(items) === 'integer' ? [list.map((all) => [`${name}=${all.join(',')}`])] : []),
  ];
  return fc.oneof(...spellings, empty);
}

export const parametersIn = ({ parameters }: Operation, place: Parameter['in']) =>
  parameters.filter((one) => one.in === place);

const validQuery = (operation: Operation): fc.Arbitrary<string[]> =>
  fc
    .tuple(...parametersIn(operation, 'query').map((one) => fc.option(spellParameter(one), { freq: 1, nil: [] })))
    .map((pairs) => pairs.flat());

type BodyParts = Pick<Draft, 'headers' | 'query' | 'body'>;

const jsonTypes = ['application/json', 'application/json; charset=utf-8', 'Application/JSON'];

/** Fields of bodies whose random values would change more than the next requests can bear. */
const fixedFields: Record<string, object> = {
  '/portal/api/time-travel': { to: '2000-01-01' },
  '/portal/api/integrations/{id}/status': { status: 'active' },
};

function validBody({ body, isPortal, path }: Operation): fc.Arbitrary<Partial<BodyParts>> {
  if (body === undefined) return fc.constant({});
  const headers = fc.constantFrom(...jsonTypes).map((type) => ({ 'content-type': type }));
  if (body === 'roster') {
    const query = isPortal
      ? fc.constant<string[]>([])
      : fc.constantFrom<string[][]>(['dryRun=true'], ['dryRun=true'], [], ['dryRun=false']);
    return fc.record({ headers, query, body: rosterText });
  }
  const text = arbitraryFor(body).valid.map((value) => JSON.stringify({ ...(value as object), ...fixedFields[path] }));
  return fc.record({ headers, body: text });
}

/** Returns valid requests. If `isPlain`, they name only existing things. */
export function arbitraryDraft(operation: Operation, targets: Targets, isPlain: boolean): fc.Arbitrary<Draft> {
  const { method, path, isPortal, success } = operation;
  const credentials = targets.credentialsFor(operation);
  return fc
    .record({ target: targets.targetsOf(operation, isPlain), query: validQuery(operation), more: validBody(operation) })
    .map(({ target, query, more }) => {
      const sent = more.query ?? query;
      const isApplied = success.includes(204) && !sent.includes('dryRun=true');
      const expected = target.expected ?? (success.includes(204) && more.body ? [isApplied ? 204 : 200] : success);
      const headers = { ...credentials, ...target.headers, ...more.headers };
      return {
        method,
        path,
        params: target.params,
        ...more,
        query: sent,
        headers,
        expected: isPortal ? 'handled' : expected,
      };
    });
}
