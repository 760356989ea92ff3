/**
 * Annotations of request schemas, for what JSON Schema has no keyword. The validator ignores them, and the OpenAPI
 * document does not contain them.
 */
export interface Annotations {
  /** Says what a text must look like to match `pattern`: completes a sentence that begins with the parameter's name. */
  patternDescription?: string;
  /** False for an array in a query whose items may contain commas. */
  splitAtCommas?: boolean;
}

const names: ReadonlySet<string> = new Set<keyof Annotations>(['patternDescription', 'splitAtCommas']);

/** Returns a copy of the schema without annotations. */
export const stripAnnotations = <T>(schema: T): T =>
  JSON.parse(JSON.stringify(schema, (key, value) => (names.has(key) ? undefined : value)));
