import { badRequest } from '../scim-error.ts';
import { findPlace, isObject, type Json, keyOfPlace, type Place, readName, type Shape } from './names.ts';

/** Filters and paths of RFC 7644, 3.4.2.2 and 3.5.2, with limits: a provider may send any text. */
export const filterLimits = { maxLength: 2_000, maxClauses: 20, maxDepth: 8 };

export const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof operators)[number];
type Value = string | number | boolean | null;

export type Filter =
  | { kind: 'and' | 'or'; of: Filter[] }
  | { kind: 'not'; of: Filter }
  | { kind: 'compare'; place: Place; operator: Operator; value: Value }
  | { kind: 'present'; place: Place }
  /** Some element of a multi-valued attribute fulfils the filter. Its places are parts of that attribute. */
  | { kind: 'some'; place: Place; filter: Filter };

interface Path {
  /** Undefined: an attribute that the service does not store. */
  place: Place | { schema: string } | undefined;
  /** Which elements of a multi-valued attribute. */
  filter?: Filter;
}

const token = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?![\w.:]))|(\.?[A-Za-z$_][\w$:.-]*))/y;

class Parser {
  readonly #tokens: string[] = [];
  readonly #fail: (what: string) => Error;
  #shape: Shape;
  #at = 0;
  #clauses = 0;
  #depth = 0;

  constructor(text: string, shape: Shape, fail: (what: string) => Error) {
    this.#shape = shape;
    this.#fail = fail;
    if (text.length > filterLimits.maxLength) throw fail(`It is longer than ${filterLimits.maxLength} characters.`);
    const lexer = new RegExp(token);
    while (text.slice(lexer.lastIndex).trim() !== '') {
      const from = lexer.lastIndex;
      const found = lexer.exec(text);
      if (found === null) throw fail(`Character ${from + 1} and what follows cannot be read.`);
      this.#tokens.push(found[0].trim());
    }
  }

  #next(): string | undefined {
    return this.#tokens[this.#at++];
  }

  #accept(...words: string[]): boolean {
    const word = this.#tokens[this.#at]?.toLowerCase();
    if (word === undefined || !words.includes(word)) return false;
    this.#at++;
    return true;
  }

  #expect(word: string): void {
    if (!this.#accept(word)) throw this.#fail(`\`${word}\` is missing after \`${this.#tokens[this.#at - 1] ?? ''}\`.`);
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  assertEnd(): void {
    if (!this.isAtEnd()) throw this.#fail(`\`${this.#tokens[this.#at]?.slice(0, 50)}\` is unexpected.`);
  }

  parseOr(): Filter {
    if (++this.#depth > filterLimits.maxDepth)
      throw this.#fail(`It is nested more than ${filterLimits.maxDepth} deep.`);
    const of = [this.#parseAnd()];
    while (this.#accept('or')) of.push(this.#parseAnd());
    this.#depth--;
    return of.length === 1 ? (of[0] as Filter) : { kind: 'or', of };
  }

  #parseAnd(): Filter {
    const of = [this.#parseNot()];
    while (this.#accept('and')) of.push(this.#parseNot());
    return of.length === 1 ? (of[0] as Filter) : { kind: 'and', of };
  }

  #parseNot(): Filter {
    const isNot = this.#accept('not');
    if (!isNot && this.#tokens[this.#at] !== '(') return this.#parseClause();
    this.#expect('(');
    const filter = this.parseOr();
    this.#expect(')');
    return isNot ? { kind: 'not', of: filter } : filter;
  }

  #parsePlace(): Place {
    const name = this.#next() ?? '';
    const place = findPlace(name, this.#shape);
    if (place === undefined || !('attribute' in place)) {
      throw this.#fail(`\`${name.slice(0, 100)}\` is not an attribute that can be compared.`);
    }
    return place;
  }

  #parseClause(): Filter {
    if (++this.#clauses > filterLimits.maxClauses) {
      throw this.#fail(`It has more than ${filterLimits.maxClauses} comparisons.`);
    }
    const place = this.#parsePlace();
    if (this.#accept('[')) {
      const filter = this.#parseElements(place);
      const part = this.#parsePart(place);
      if (part === undefined) return { kind: 'some', place, filter };
      return { kind: 'some', place, filter: { kind: 'and', of: [filter, this.#parseComparison(part)] } };
    }
    return this.#parseComparison(place);
  }

  #parseComparison(place: Place): Filter {
    if (this.#accept('pr')) return { kind: 'present', place };
    const operator = this.#next()?.toLowerCase() as Operator;
    if (!operators.includes(operator)) {
      throw this.#fail(`An operator must follow \`${keyOfPlace(place)}\`: ${operators.join(', ')} or pr.`);
    }
    return { kind: 'compare', place, operator, value: this.#parseValue() };
  }

  #parseValue(): Value {
    const text = this.#next() ?? '';
    try {
      const value: unknown = JSON.parse(/^(?:true|false|null)$/i.test(text) ? text.toLowerCase() : text);
      if (typeof value !== 'object' || value === null) return value as Value;
    } catch {}
    throw this.#fail(`\`${text.slice(0, 50)}\` is not a value. Write text in double quotes.`);
  }

  /** Parses the filter in brackets, whose names are parts of the attribute. */
  #parseElements({ attribute, part, schema }: Place): Filter {
    const { isMultiple, parts } = attribute;
    if (!isMultiple || !parts || part !== undefined)
      throw this.#fail(`\`${attribute.name}\` has no elements to choose.`);
    const outer = this.#shape;
    const core = schema ?? outer.core;
    this.#shape = { core, schemas: { [core]: parts.map((name) => ({ name })) } };
    const filter = this.parseOr();
    this.#shape = outer;
    this.#expect(']');
    return filter;
  }

  /** Parses `.value` behind a bracket. */
  #parsePart({ attribute }: Place): Place | undefined {
    const next = this.#tokens[this.#at];
    if (next?.[0] !== '.') return undefined;
    this.#at++;
    const name = attribute.parts?.find((one) => one.toLowerCase() === next.slice(1).toLowerCase());
    if (name === undefined) throw this.#fail(`\`${attribute.name}\` has no part \`${next.slice(1, 100)}\`.`);
    return { attribute: { name } };
  }

  parsePath(): Path {
    const name = this.#next() ?? '';
    const place = findPlace(name, this.#shape);
    if (!this.#accept('[')) return { place };
    if (place === undefined || !('attribute' in place)) {
      while (!this.isAtEnd()) this.#at++;
      return { place: undefined };
    }
    const filter = this.#parseElements(place);
    const part = this.#parsePart(place)?.attribute.name;
    return { place: { ...place, ...(part === undefined ? {} : { part }) }, filter };
  }
}

export function parseFilter(text: string, shape: Shape): Filter {
  const parser = new Parser(text, shape, (what) => badRequest('invalidFilter', `The filter is not valid. ${what}`));
  const filter = parser.parseOr();
  parser.assertEnd();
  return filter;
}

/** Parses the path of a PATCH operation. */
export function parsePath(text: string, shape: Shape): Path {
  const parser = new Parser(text, shape, (what) => badRequest('invalidPath', `The path is not valid. ${what}`));
  const path = parser.parsePath();
  parser.assertEnd();
  return path;
}

const fold = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);

function compare(found: unknown, operator: Operator, given: Value): boolean {
  const [left, right] = [fold(found), fold(given)];
  if (typeof left === 'boolean' && typeof right === 'string') return compare(String(left), operator, right);
  if (operator === 'eq') return (left ?? null) === right;
  if (operator === 'ne') return (left ?? null) !== right;
  if (typeof left === 'string' && typeof right === 'string') {
    const text = { co: () => left.includes(right), sw: () => left.startsWith(right), ew: () => left.endsWith(right) };
    if (operator in text) return text[operator as keyof typeof text]();
  }
  if (typeof left !== typeof right || left === null || right === null) return false;
  const [a, b] = [left as string, right as string];
  return { gt: a > b, ge: a >= b, lt: a < b, le: a <= b, co: false, sw: false, ew: false }[operator];
}

/** Returns whether an element of a multi-valued attribute fulfils a filter, which names parts of the element. */
export function isFulfilled(filter: Filter, element: unknown): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.every((one) => isFulfilled(one, element));
    case 'or':
      return filter.of.some((one) => isFulfilled(one, element));
    case 'not':
      return !isFulfilled(filter.of, element);
    case 'some':
      return false;
    default: {
      const found = isObject(element) ? readName(element, filter.place.attribute.name) : undefined;
      if (filter.kind === 'present') return found !== undefined && found !== null;
      return compare(found, filter.operator, filter.value);
    }
  }
}

/** Returns the element that a filter describes, if it says no more than what its parts equal: `type eq "work"`. */
export function describeElement(filter: Filter): Json | undefined {
  if (filter.kind === 'compare' && filter.operator === 'eq') return { [filter.place.attribute.name]: filter.value };
  if (filter.kind !== 'and') return undefined;
  const parts = filter.of.map(describeElement);
  return parts.every((one) => one !== undefined) ? Object.assign({}, ...parts) : undefined;
}
