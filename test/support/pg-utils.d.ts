/** The part of pg that its types omit. pg-cursor uses it as well. */
declare module 'pg/lib/utils.js' {
  /** Returns a parameter in the form that the server reads. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
