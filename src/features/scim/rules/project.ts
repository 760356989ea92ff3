import { badRequest } from '../scim-error.ts';
import { findPlace, isObject, type Json, type Place, type Shape } from './names.ts';

const maxNames = 50;

export interface Projection {
  attributes: string[];
  excludedAttributes: string[];
}

/** Reads a list of names: text with commas, or, in the body of a search, a list. */
export function readNames(value: unknown): string[] {
  const all = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  if (all.length > maxNames) throw badRequest('tooMany', `There are more than ${maxNames} attributes.`);
  return all.map((one) => String(one).trim()).filter((one) => one !== '');
}

const alwaysReturned = ['schemas', 'id'];

function copyPlace(from: Json, to: Json, { schema, attribute: { name }, part }: Place): void {
  const source = schema === undefined ? from : from[schema];
  if (!isObject(source) || source[name] === undefined) return;
  if (schema !== undefined && !isObject(to[schema])) to[schema] = {};
  const target = schema === undefined ? to : (to[schema] as Json);
  const value = source[name];
  if (part === undefined) target[name] = value;
  else if (isObject(value)) target[name] = { ...(isObject(target[name]) ? target[name] : {}), [part]: value[part] };
  else if (Array.isArray(value)) {
    const known = Array.isArray(target[name]) ? target[name] : [];
    target[name] = value.map((one: Json, index) => ({ ...(known[index] as Json), [part]: one[part] }));
  }
}

function removePlace(from: Json, { schema, attribute: { name }, part }: Place): void {
  const source = schema === undefined ? from : from[schema];
  if (!isObject(source)) return;
  if (part === undefined) delete source[name];
  else for (const one of [source[name]].flat()) if (isObject(one)) delete one[part];
}

/** Returns the attributes of a resource that a request names, or all but those that it excludes (RFC 7644, 3.9). */
export function project(resource: Json, { attributes, excludedAttributes }: Projection, shape: Shape): Json {
  if (attributes.length > 0) {
    const chosen: Json = Object.fromEntries(alwaysReturned.map((name) => [name, resource[name]]));
    for (const name of attributes) {
      const place = findPlace(name, shape);
      if (place === undefined) continue;
      if ('attribute' in place) copyPlace(resource, chosen, place);
      else if (resource[place.schema] !== undefined) chosen[place.schema] = resource[place.schema];
    }
    return chosen;
  }
  if (excludedAttributes.length === 0) return resource;
  const left = structuredClone(resource);
  for (const name of excludedAttributes) {
    const place = findPlace(name, shape);
    if (place === undefined) continue;
    if (!('attribute' in place)) delete left[place.schema];
    else if (!alwaysReturned.includes(place.attribute.name)) removePlace(left, place);
  }
  return left;
}
