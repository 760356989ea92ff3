import { escapeHtml, renderInline } from '../markdown.ts';
import { nameOfReference, type Schema } from './document.ts';

export const schemasPath = '/docs/reference/schemas';

const linkTo = (reference: string) => {
  const name = nameOfReference(reference);
  return `<a href="${schemasPath}#${escapeHtml(name)}">${escapeHtml(name)}</a>`;
};

export function describeType(schema: Schema): string {
  if (schema.$ref !== undefined) return linkTo(schema.$ref);
  if (schema.oneOf !== undefined) return schema.oneOf.map(describeType).join(' or ');
  const types = [schema.type ?? []].flat();
  const base = types.map((type) => {
    if (type === 'array') return `array of ${describeType(schema.items ?? {})}`;
    if (type === 'string' && schema.format !== undefined) return escapeHtml(schema.format);
    return escapeHtml(type);
  });
  return base.join(' or ') || 'any';
}

const values = (schema: Schema) => (schema.enum ?? schema.items?.enum ?? []).filter((value) => value !== null);

export function describeLimits(schema: Schema): string {
  const allowed = values(schema).map((value) => `<code>${escapeHtml(String(value))}</code>`);
  return [
    ...(allowed.length > 0 ? [`One of ${allowed.join(', ')}.`] : []),
    ...(schema.default === undefined ? [] : [`Default: <code>${escapeHtml(String(schema.default))}</code>.`]),
    ...(schema.maximum === undefined || schema.maximum >= Number.MAX_SAFE_INTEGER
      ? []
      : [`At most ${schema.maximum}.`]),
  ].join(' ');
}

const isNested = ({ properties, items }: Schema) => properties !== undefined || items?.properties !== undefined;

function renderField(name: string, schema: Schema, isRequired: boolean): string {
  const facts = `<code>${escapeHtml(name)}</code> <span class="dimmed">${describeType(schema)}${isRequired ? '' : ', optional'}</span>`;
  const text = [schema.description === undefined ? '' : renderInline(schema.description), describeLimits(schema)];
  const words = text.filter(Boolean).join(' ');
  return `<li>${facts}${words === '' ? '' : `<p>${words}</p>`}${isNested(schema) ? renderFields(schema) : ''}</li>`;
}

export function renderFields(schema: Schema): string {
  const { properties, required = [] } = schema.properties === undefined ? (schema.items ?? {}) : schema;
  if (properties === undefined) return '';
  const items = Object.entries(properties).map(([name, one]) => renderField(name, one, required.includes(name)));
  return `<ul class="fields">${items.join('')}</ul>`;
}
