/**
 * Annotations of request schemas, for what JSON Schema has no keyword. The validator ignores them, and the OpenAPI
 * document does not contain them.
 */
export interface Annotations {
  /** Describes a text that matches `pattern`. Completes a sentence that begins with the name of the parameter. */
  patternDescription?: string;
  /** False for an array in a query whose items may contain commas. */
  splitAtCommas?: boolean;
}

const names: ReadonlySet<string> = new Set<keyof Annotations>(['patternDescription', 'splitAtCommas']);

/** Returns a copy of the schema without annotations. */
export const stripAnnotations = <T>(schema: T): T =>
  JSON.parse(JSON.stringify(schema, (key, value) => (names.has(key) ? undefined : value)));
