/** The part of pg that its types leave out; pg-cursor uses it as well. */
declare module 'pg/lib/utils.js' {
  /** A parameter as the server reads it. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
