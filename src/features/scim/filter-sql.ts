import { type RawBuilder, sql } from 'kysely';
import { emailKey } from '../../domain/search.ts';
import type { Filter, Operator } from './rules/filter.ts';
import { enterpriseSchema, groupSchema, keyOfPlace, type Place, transitSchema, userSchema } from './rules/names.ts';
import { badRequest } from './scim-error.ts';

type Condition = RawBuilder<boolean>;

interface Column {
  /** The value, in SQL. */
  value: RawBuilder<unknown>;
  type: 'text' | 'boolean' | 'time' | 'id';
  /** How a given text is compared. Absent: as it is. */
  fold?: (text: string) => string;
}

const lower = (text: string) => text.toLowerCase();
const detail = (name: string): Column => ({ value: sql`lower(u.attributes ->> ${name})`, type: 'text', fold: lower });

/** What can be compared and sorted. Names come from the parsed filter, values are always parameters. */
const userColumns: Record<string, Column> = {
  id: { value: sql`u.id`, type: 'id' },
  externalId: { value: sql`u.external_id`, type: 'text' },
  userName: { value: sql`u.user_name_key`, type: 'text', fold: emailKey },
  active: { value: sql`u.active`, type: 'boolean' },
  displayName: detail('displayName'),
  'name.givenName': detail('givenName'),
  'name.familyName': detail('familyName'),
  'name.formatted': {
    value: sql`lower(concat_ws(' ', u.attributes ->> 'givenName', u.attributes ->> 'familyName'))`,
    type: 'text',
    fold: lower,
  },
  'meta.created': { value: sql`u.created_at`, type: 'time' },
  'meta.lastModified': { value: sql`u.updated_at`, type: 'time' },
  [`${enterpriseSchema}:employeeNumber`]: { value: sql`u.employee_number`, type: 'text' },
  [`${transitSchema}:startDate`]: detail('startDate'),
  [`${transitSchema}:terminationDate`]: detail('terminationDate'),
  [`${transitSchema}:group`]: detail('group'),
  [`${transitSchema}:autoSyncEmployee`]: {
    value: sql`(u.attributes ->> 'autoSyncEmployee')::boolean`,
    type: 'boolean',
  },
};

/** The parts of an address, of the element `m`. */
const emailColumns: Record<string, Column> = {
  value: { value: sql`lower(m ->> 'value')`, type: 'text', fold: lower },
  type: { value: sql`lower(m ->> 'type')`, type: 'text', fold: lower },
  primary: { value: sql`coalesce((m ->> 'primary')::boolean, false)`, type: 'boolean' },
};

const groupColumns: Record<string, Column> = {
  id: { value: sql`u.id`, type: 'id' },
  externalId: { value: sql`u.external_id`, type: 'text' },
  displayName: { value: sql`lower(u.display_name)`, type: 'text', fold: lower },
  'meta.created': { value: sql`u.created_at`, type: 'time' },
  'meta.lastModified': { value: sql`u.updated_at`, type: 'time' },
};

const invalidFilter = (what: string) => badRequest('invalidFilter', `The filter is not valid. ${what}`);

const comparisons = { eq: '=', ne: 'is distinct from', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function compareText(column: RawBuilder<unknown>, operator: Operator, text: string): Condition {
  if (operator === 'co') return sql`position(${text} in ${column}) > 0`;
  if (operator === 'sw') return sql`starts_with(${column}, ${text})`;
  if (operator === 'ew') return sql`right(${column}, length(${text})) = ${text}`;
  const collation = operator === 'eq' || operator === 'ne' ? sql`` : sql` collate "C"`;
  return sql`${column}${collation} ${sql.raw(comparisons[operator])} ${text}`;
}

function compareColumn(name: string, { value, type, fold }: Column, filter: Filter & { kind: 'compare' }): Condition {
  const { operator, value: given } = filter;
  if (given === null && operator === 'eq') return sql`${value} is null`;
  if (given === null && operator === 'ne') return sql`${value} is not null`;
  const isEquality = operator === 'eq' || operator === 'ne';
  if (type === 'boolean') {
    const text = String(given).toLowerCase();
    if (!isEquality || (text !== 'true' && text !== 'false')) {
      throw invalidFilter(`Compare \`${name}\` by eq or ne with true or false.`);
    }
    return sql`${value} ${sql.raw(comparisons[operator])} ${text === 'true'}`;
  }
  if (typeof given !== 'string') throw invalidFilter(`Compare \`${name}\` with a text in double quotes.`);
  if (given.includes('\0') || !given.isWellFormed()) throw invalidFilter('It has a character that no value has.');
  if (type === 'text') return compareText(value, operator, fold === undefined ? given : fold(given));
  if (operator === 'co' || operator === 'sw' || operator === 'ew') {
    throw invalidFilter(`Compare \`${name}\` by eq, ne, gt, ge, lt or le.`);
  }
  if (type === 'id') {
    if (!isEquality) throw invalidFilter(`Compare \`${name}\` by eq or ne.`);
    const isNumber = /^[1-9]\d{0,14}$/.test(given);
    return isNumber ? sql`${value} ${sql.raw(comparisons[operator])} ${Number(given)}` : sql`${operator === 'ne'}`;
  }
  try {
    const at = Temporal.Instant.from(given).toString();
    return sql`${value} ${sql.raw(comparisons[operator])} ${at}::timestamptz`;
  } catch {
    throw invalidFilter(`Compare \`${name}\` with a time such as "2026-11-14T08:00:00Z".`);
  }
}

interface Table {
  columns: Record<string, Column>;
  /** Multi-valued attributes: the elements as rows `m`, and their parts. */
  lists: Record<string, { elements: RawBuilder<unknown>; columns: Record<string, Column> }>;
}

const tables: Record<string, Table> = {
  [userSchema]: {
    columns: userColumns,
    lists: {
      emails: {
        elements: sql`jsonb_array_elements(coalesce(u.attributes -> 'emails', '[]'::jsonb)) m`,
        columns: emailColumns,
      },
    },
  },
  [groupSchema]: { columns: groupColumns, lists: {} },
};

const isAny = (elements: RawBuilder<unknown>, condition: Condition): Condition =>
  sql`exists (select from ${elements} where ${condition})`;

function compile(filter: Filter, table: Table): Condition {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const conditions = filter.of.map((one) => compile(one, table));
      return sql`(${sql.join(conditions, filter.kind === 'and' ? sql` and ` : sql` or `)})`;
    }
    case 'not':
      return sql`not coalesce(${compile(filter.of, table)}, false)`;
    case 'some': {
      const list = table.lists[keyOfPlace(filter.place)];
      if (list === undefined) throw invalidFilter(`\`${filter.place.attribute.name}\` cannot be compared.`);
      return isAny(list.elements, compile(filter.filter, { columns: list.columns, lists: {} }));
    }
    default: {
      const name = keyOfPlace(filter.place);
      const column = table.columns[name];
      if (column !== undefined) {
        return filter.kind === 'present' ? sql`${column.value} is not null` : compareColumn(name, column, filter);
      }
      const list = table.lists[filter.place.attribute.name];
      if (list === undefined) throw invalidFilter(`\`${name}\` cannot be compared.`);
      // `emails eq "…"` and `emails.value eq "…"` mean any of the addresses.
      const part = { attribute: { name: filter.place.part ?? 'value' } };
      return isAny(list.elements, compile({ ...filter, place: part }, { columns: list.columns, lists: {} }));
    }
  }
}

/** Returns the condition for the rows `u` that fulfil a filter. Throws if an attribute cannot be compared so. */
export const compileFilter = (filter: Filter, schema: string): Condition =>
  compile(filter, tables[schema] ?? { columns: {}, lists: {} });

/** Returns what to sort by. Undefined: the attribute has no order. */
export function findSortValue({ schema, attribute, part }: Place, shape: string): RawBuilder<unknown> | undefined {
  const columns = tables[shape]?.columns;
  if (shape === userSchema && attribute.name === 'emails') return sql`u.email_key`;
  const place = { ...(schema === undefined ? {} : { schema }), attribute, ...(part === undefined ? {} : { part }) };
  return (
    columns?.[keyOfPlace(place)]?.value ?? (attribute.name === 'name' ? columns?.['name.familyName']?.value : undefined)
  );
}
