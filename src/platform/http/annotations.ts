/** What request schemas say beyond JSON Schema. The validator and the OpenAPI document leave it out. */
export interface Annotations {
  patternDescription?: 'value-without-nul' | 'value-next-page' | 'value-request-id';
  /** False for an array in a query whose items may contain commas. */
  splitAtCommas?: boolean;
}

const names: ReadonlySet<string> = new Set<keyof Annotations>(['patternDescription', 'splitAtCommas']);

export const stripAnnotations = <T>(schema: T): T =>
  JSON.parse(JSON.stringify(schema, (key, value) => (names.has(key) ? undefined : value)));
