import type { Random } from '../../src/demo/random.ts';
import { basic } from '../../test/support/app.ts';
import type { Operation } from '../../test/support/openapi.ts';
import { aRoster, writeRoster } from './generate-rosters.ts';
import { someText, typeOf, type ValueSchema, validText } from './generate-values.ts';
import type { Wanted } from './generated.ts';
import type { Targets } from './targets.ts';

/** A request to an operation whose parts can still be changed. Values and pairs are encoded. */
export interface Draft {
  method: string;
  prefix: string;
  params: Record<string, string>;
  query: string[];
  headers: Record<string, string>;
  body?: string | Uint8Array;
  wanted: Wanted;
}

type Parameter = Operation['parameters'][number];
export const parametersIn = ({ parameters }: Operation, place: Parameter['in']) =>
  parameters.filter((parameter) => parameter.in === place);

export const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** Returns an array parameter in one of several equivalent spellings. */
function spellArray(name: string, items: ValueSchema, random: Random): string[] {
  const isShort = typeOf(items) === 'integer' || items.enum !== undefined;
  const length = isShort && random.chance(0.05) ? 150 : random.int(1, 3);
  const values = Array.from({ length }, () => encode(validText(items, random)));
  const spellings = [
    () => values.map((value) => `${name}=${value}`),
    () => values.map((value) => `${name}[]=${value}`),
    () => values.map((value, index) => `${encode(`${name}[${index}]`)}=${value}`),
    ...(name === 'emails' ? [] : [() => [`${name}=${values.join(random.pick([',', '%2C']))}`]]),
  ];
  return random.pick(spellings)();
}

export function spellParameter({ name, schema }: Parameter, random: Random): string[] {
  const { items } = schema as ValueSchema;
  // A boolean without a value would be ambiguous.
  const isSwitch = typeOf(schema) === 'boolean';
  if (!isSwitch && random.chance(0.1)) return [random.pick([`${name}=`, name])];
  if (!isSwitch && typeOf(schema) !== 'string' && random.chance(0.05)) return [`${name}=null`];
  if (items !== undefined) return spellArray(name, items, random);
  const value = encode(validText(schema, random));
  return [`${name}=${random.chance(0.5) ? value.replaceAll('%20', '+') : value}`];
}

function someQuery(operation: Operation, random: Random): string[] {
  const named = parametersIn(operation, 'query').filter(() => random.chance(0.35));
  const pairs = named.flatMap((parameter) => spellParameter(parameter, random));
  return random.shuffle(pairs);
}

/** Returns the statuses with which the operation reports success. */
const successOf = ({ responses }: Operation): number[] =>
  Object.keys(responses)
    .map(Number)
    .filter((status) => status < 400 && status !== 304);

const unknownIds = [0, 999_999_999, Number.MAX_SAFE_INTEGER];

/** Returns an id for the path, and the response that the operation must then give. */
function aimAtId(operation: Operation, targets: Targets, random: Random, isPlain: boolean): [number, Wanted] {
  const success = successOf(operation);
  const isSync = operation.operationId === 'triggerSync';
  const refusing = isSync
    ? targets.blocked
    : operation.operationId === 'downloadDocument'
      ? targets.notDownloadable
      : [];
  if (!isPlain && random.chance(0.1)) return [random.pick(unknownIds), [404]];
  if (!isPlain && refusing.length > 0 && random.chance(0.2)) return [random.pick(refusing), [409]];
  if (isSync) return [targets.pushable, success];
  const noun = /([a-z-]+)\/\{id\}/.exec(operation.path)?.[1] as keyof Targets['ids'];
  return [random.pick(targets.ids[noun]), success];
}

/** Returns the path parameters of the operation. If `isPlain`, they name only existing things. */
function aim(
  operation: Operation,
  targets: Targets,
  random: Random,
  isPlain: boolean,
): Pick<Draft, 'params' | 'wanted'> {
  const names = parametersIn(operation, 'path').map(({ name }) => name);
  if (names.includes('syncId')) {
    const { integration, syncId } = targets.sync;
    const isKnown = isPlain || random.chance(0.8);
    const wrong = encode(`?${someText(random, 200)}`);
    return {
      params: { id: String(integration), syncId: isKnown ? encode(syncId) : wrong },
      wanted: isKnown ? [200] : [404],
    };
  }
  if (names.includes('pass')) {
    const isKnown = isPlain || random.chance(0.3);
    return {
      params: { pass: isKnown ? targets.pass : `${targets.companyId}.${'x'.repeat(43)}` },
      wanted: isKnown ? successOf(operation) : [404],
    };
  }
  if (names.includes('id')) {
    const [id, wanted] = aimAtId(operation, targets, random, isPlain);
    return { params: { id: random.chance(0.05) ? `00${id}` : String(id) }, wanted };
  }
  const values = parametersIn(operation, 'path').map(({ name, schema }) => [name, validText(schema, random)]);
  return { params: Object.fromEntries(values), wanted: successOf(operation) };
}

/** Adds a roster. Usually it is a dry run, sometimes a real push. */
function addRoster(draft: Draft, random: Random, number: number): void {
  const isTried = random.chance(0.75);
  draft.query = isTried ? ['dryRun=true'] : random.pick([[], ['dryRun=false']]);
  draft.body = writeRoster(aRoster(random, `sync ${number}`), random);
  draft.headers['content-type'] = random.pick([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
  ]);
  if (Array.isArray(draft.wanted) && draft.wanted.includes(204)) draft.wanted = isTried ? [200] : [204];
}

/** Returns a valid request to the operation. */
export function aDraft(
  operation: Operation,
  targets: Targets,
  random: Random,
  { number, isPlain }: { number: number; isPlain: boolean },
): Draft {
  const draft: Draft = {
    method: operation.method,
    prefix: '/v1',
    ...aim(operation, targets, random, isPlain),
    query: someQuery(operation, random),
    headers: operation.permissions === undefined ? {} : { authorization: basic(targets.key) },
  };
  if (operation.requestBody !== undefined) addRoster(draft, random, number);
  const isFile =
    operation.operationId === 'downloadDocument' && Array.isArray(draft.wanted) && draft.wanted.includes(200);
  if (isFile && !isPlain && random.chance(0.2)) {
    draft.headers['if-none-match'] = '*';
    draft.wanted = [304];
  }
  return draft;
}

export function pathOf({ path }: Operation, { prefix, params, query }: Draft): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => params[name] ?? '');
  return `${prefix}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}
