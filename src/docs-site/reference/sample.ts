import { type Document, nameOfReference, type PlacedOperation, type Schema } from './document.ts';

const typeOf = ({ type }: Schema) => (Array.isArray(type) ? type[0] : type);

function sampleValue(document: Document, schema: Schema): unknown {
  if (schema.$ref !== undefined) {
    return sampleValue(document, document.components?.schemas?.[nameOfReference(schema.$ref)] ?? {});
  }
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (schema.properties !== undefined) {
    const named = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(named.map(([name, property]) => [name, sampleValue(document, property)]));
  }
  if (typeOf(schema) === 'array') return [sampleValue(document, schema.items ?? {})];
  if (typeOf(schema) === 'integer') return schema.minimum ?? 1;
  return typeOf(schema) === 'boolean' ? false : 'text';
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Downloads are stored under the name that the service gives them. */
const isDownload = ({ responses }: PlacedOperation) =>
  Object.keys(responses['200']?.content ?? {}).some((type) => type !== 'application/json');

function addressOf(document: Document, { path, parameters = [] }: PlacedOperation): string {
  const findValue = (name: string) => {
    const parameter = parameters.find((one) => one.name === name);
    return String(parameter?.example ?? sampleValue(document, parameter?.schema ?? {}));
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(findValue(name)));
  const required = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name);
  const query = new URLSearchParams(required.map((name) => [name, findValue(name)]));
  // The sample of an operation that changes something changes nothing.
  if (parameters.some(({ name }) => name === 'dryRun')) query.set('dryRun', 'true');
  return `${document.servers?.[0]?.url ?? ''}${filled}${query.size > 0 ? `?${query}` : ''}`;
}

/** Returns a command that works as pasted once `KEY` is set. */
export function renderCurl(document: Document, operation: PlacedOperation, body?: unknown): string {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const json = schema === undefined ? undefined : JSON.stringify(body ?? sampleValue(document, schema), null, 2);
  return [
    'curl',
    ...(operation.security?.length === 0 ? [] : ['-u "$KEY"']),
    ...(isDownload(operation) ? ['-OJ'] : []),
    ...(operation.responses['200'] === undefined ? ['-i'] : []),
    quote(addressOf(document, operation)),
    ...(json === undefined ? [] : ["\\\n  -H 'Content-Type: application/json' \\\n  -d", quote(json)]),
  ].join(' ');
}
