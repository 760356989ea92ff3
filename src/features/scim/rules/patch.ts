import { badRequest } from '../scim-error.ts';
import { describeElement, type Filter, isFulfilled, parsePath } from './filter.ts';
import { findPlace, isObject, type Json, type Place, readName, type Shape } from './names.ts';

/** What a PATCH may contain. The elements of one list are limited by the size of the body. */
const maxOperations = 100;

const kinds = ['add', 'replace', 'remove'] as const;
type Kind = (typeof kinds)[number];

interface Operation {
  kind: Kind;
  path: string | undefined;
  value: unknown;
}

/** Reads the operations. Entra ID writes them as `Add` and `Replace`. */
export function readOperations(body: unknown): Operation[] {
  const operations = isObject(body) ? readName(body, 'Operations') : undefined;
  if (!Array.isArray(operations) || operations.length === 0) {
    throw badRequest('invalidSyntax', 'The body has no `Operations`. Send a list with at least one operation.');
  }
  if (operations.length > maxOperations) {
    throw badRequest('tooMany', `There are more than ${maxOperations} operations. Send them in several requests.`);
  }
  return operations.map((one, index) => {
    const given = isObject(one) ? one : {};
    const kind = String(readName(given, 'op') ?? '').toLowerCase() as Kind;
    if (!kinds.includes(kind)) {
      throw badRequest('invalidSyntax', `Operation ${index + 1} has no valid \`op\`. Use add, replace or remove.`);
    }
    const path = readName(given, 'path');
    if (path !== undefined && path !== null && typeof path !== 'string') {
      throw badRequest('invalidPath', `The path of operation ${index + 1} is not a text.`);
    }
    return { kind, path: path ? path : undefined, value: readName(given, 'value') };
  });
}

/** Names that no object of a resource may get. */
const isSafe = (name: string) => name !== '__proto__' && name !== 'constructor' && name !== 'prototype';

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** Some providers send a single value as a list of one, or as an object with `value`. */
function unwrap(value: unknown): unknown {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(one) && Object.keys(one).length <= 2 ? (readName(one, 'value') ?? one) : one;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : isEmpty(value) ? [] : [value]);

/** A text is the value of an element: `"members": ["1"]` means `[{"value": "1"}]`. */
const toElement = (value: unknown): Json | undefined =>
  isObject(value) ? value : typeof value === 'string' ? { value } : undefined;

const isPrimary = (element: unknown) => isObject(element) && /^true$/i.test(String(readName(element, 'primary')));

const idOf = (element: Json) => readName(element, 'value');
const isSame = (one: Json, other: Json) =>
  idOf(one) === undefined
    ? JSON.stringify(one) === JSON.stringify(other)
    : idOf(one) === idOf(other) && (readName(one, 'type') ?? null) === (readName(other, 'type') ?? null);

/** Adds elements that are not there yet. At most one is primary: a new one takes that from the others. */
function addElements(known: Json[], added: Json[]): Json[] {
  const others = added.some(isPrimary) ? known.map(({ primary: _, ...rest }) => rest as Json) : known;
  const fresh = added.filter((one) => !others.some((other) => isSame(other, one)));
  return [...others, ...fresh];
}

function setPart(target: Json, part: string, value: unknown): void {
  if (isEmpty(value)) delete target[part];
  else target[part] = value;
}

interface Change {
  kind: Kind;
  place: Place;
  /** Which elements. Absent: the attribute itself. */
  filter: Filter | undefined;
  value: unknown;
}

function changeElements(known: Json[], filter: Filter, { kind, place: { part }, value }: Change): Json[] {
  const chosen = known.filter((element) => isFulfilled(filter, element));
  if (kind === 'remove' && part === undefined) return known.filter((element) => !chosen.includes(element));
  if (kind !== 'remove' && chosen.length === 0) {
    // Entra ID sets `emails[type eq "work"].value` whether or not there is such an address.
    const described = describeElement(filter);
    const given = part === undefined ? toElement(unwrap(value)) : { [part]: unwrap(value) };
    if (described === undefined || given === undefined) {
      throw badRequest('noTarget', 'No element fulfils the filter of the path, and it does not say how to create one.');
    }
    return Object.values(given).every(isEmpty) ? known : addElements(known, [{ ...described, ...given }]);
  }
  for (const element of chosen) {
    if (part !== undefined) setPart(element, part, kind === 'remove' ? undefined : unwrap(value));
    else if (isObject(value)) for (const [name, one] of Object.entries(value)) if (isSafe(name)) element[name] = one;
  }
  // What has lost its value is not an address any more.
  return known.filter((element) => part === undefined || !chosen.includes(element) || Object.hasOwn(element, part));
}

function changeList(known: Json[], change: Change): Json[] {
  const { kind, place, filter, value } = change;
  if (filter !== undefined) return changeElements(known, filter, change);
  if (place.part !== undefined) {
    if (known.length === 0 && kind !== 'remove') return [{ [place.part]: unwrap(value) }];
    for (const element of known) setPart(element, place.part, kind === 'remove' ? undefined : unwrap(value));
    return known;
  }
  const given = listOf(value)
    .map(toElement)
    .filter((one) => one !== undefined);
  if (kind === 'replace') return addElements([], given);
  if (kind === 'add') return addElements(known, given);
  if (given.length === 0) return [];
  return known.filter((element) => !given.some((one) => idOf(one) === idOf(element)));
}

/** Changes a complex attribute: the given parts, the others stay. */
function changeParts(target: Json, { kind, place: { attribute, part }, value }: Change): void {
  const { name, parts = [] } = attribute;
  const before = isObject(target[name]) ? target[name] : {};
  if (part !== undefined) {
    target[name] = { ...before };
    setPart(target[name] as Json, part, kind === 'remove' ? undefined : unwrap(value));
  } else if (kind === 'remove' || isEmpty(value)) {
    delete target[name];
  } else if (isObject(value)) {
    target[name] = { ...before };
    for (const one of parts) {
      const given = readName(value, one);
      if (given !== undefined) setPart(target[name] as Json, one, given);
    }
  } else {
    throw badRequest('invalidValue', `The value of \`${name}\` must be an object.`);
  }
}

function changePlace(resource: Json, change: Change): void {
  const { schema, attribute } = change.place;
  if (schema !== undefined && !isObject(resource[schema])) resource[schema] = {};
  const target = schema === undefined ? resource : (resource[schema] as Json);
  const { name, isMultiple, parts } = attribute;
  if (isMultiple) target[name] = changeList(listOf(target[name]).filter(isObject), change);
  else if (parts !== undefined) changeParts(target, change);
  else setPart(target, name, change.kind === 'remove' ? undefined : unwrap(change.value));
}

/** Changes what a name says, such as `name.givenName` or a whole extension. Names that are not stored change nothing. */
function changeNamed(resource: Json, shape: Shape, { kind, path = '', value }: Operation, isNested: boolean): void {
  const { place, filter } = parsePath(path, shape);
  if (place === undefined) return;
  if (!('attribute' in place)) {
    const prefix = `${place.schema}:`;
    if (isObject(value)) changeAll(resource, shape, kind, addPrefix(value, prefix));
    else if (kind === 'remove') delete resource[place.schema];
    return;
  }
  if (place.attribute.isReadOnly) {
    // Some providers send back the whole resource.
    if (isNested) return;
    throw badRequest('mutability', `\`${place.attribute.name}\` is set by the service. Leave it out.`);
  }
  changePlace(resource, { kind, place, filter, value });
}

const addPrefix = (values: Json, prefix: string): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));

function changeAll(resource: Json, shape: Shape, kind: Kind, values: Json): void {
  for (const [path, value] of Object.entries(values)) {
    const isKnown = findPlace(path.replace(/\[.*$/s, ''), shape) !== undefined;
    if (isKnown) changeNamed(resource, shape, { kind, path, value }, true);
  }
}

/** Applies the operations of a PATCH to a copy of a resource (RFC 7644, 3.5.2). */
export function applyPatch(resource: Json, operations: readonly Operation[], shape: Shape): Json {
  const changed = structuredClone(resource);
  for (const operation of operations) {
    if (operation.path !== undefined) {
      changeNamed(changed, shape, operation, false);
    } else if (operation.kind === 'remove') {
      throw badRequest('noTarget', 'A remove operation needs a path.');
    } else if (isObject(operation.value)) {
      changeAll(changed, shape, operation.kind, operation.value);
    } else {
      throw badRequest('invalidValue', 'An operation without a path needs an object with attributes as its value.');
    }
  }
  return changed;
}
