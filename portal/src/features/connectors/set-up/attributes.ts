import type { ConnectionCheck, Mapping } from '../../../../../src/features/connectors/pull/contract.ts';

/** The attributes to choose from. */
export type Attributes = readonly { value: string; label: string }[];

/** Returns the released attributes, and those that the mapping names, which may be withheld. */
export function listAttributes({ fields }: Pick<ConnectionCheck, 'fields'>, mapping: Mapping): Attributes {
  const labels = new Map(fields.map(({ name, label }) => [name, label === name ? name : `${label} (${name})`]));
  const named = [
    ...Object.values(mapping.fields),
    ...mapping.include.map(({ attribute }) => attribute),
    mapping.autoSyncEmployee?.attribute ?? null,
  ];
  for (const name of named) if (name !== null && name !== '' && !labels.has(name)) labels.set(name, name);
  return [...labels].map(([value, label]) => ({ value, label }));
}
