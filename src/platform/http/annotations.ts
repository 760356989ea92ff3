/**
 * Annotations of request schemas, for what JSON Schema has no keyword. The validator ignores them, and the OpenAPI
 * document does not contain them.
 */
export interface Annotations {
  /** The message about a text that does not match `pattern`. */
  patternDescription?: 'value-without-nul' | 'value-next-page' | 'value-request-id';
  /** False for an array in a query whose items may contain commas. */
  splitAtCommas?: boolean;
}

const names: ReadonlySet<string> = new Set<keyof Annotations>(['patternDescription', 'splitAtCommas']);

/** Returns a copy of the schema without annotations. */
export const stripAnnotations = <T>(schema: T): T =>
  JSON.parse(JSON.stringify(schema, (key, value) => (names.has(key) ? undefined : value)));
