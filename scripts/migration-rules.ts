import type { AlterTableCmd, AlterTableStmt, ColumnDef, Constraint, IndexStmt, Node } from 'libpg-query';
import { findCreatedIndex, type Migration } from '../src/platform/db/migrate-files.ts';

/**
 * The rules for a migration that runs beside the previous release, on large tables and on Citus. CONTRIBUTING explains
 * them.
 */

/** What the migrations before a statement have done, for rules that look at more than one statement. */
export interface MigrationContext {
  migration: Migration;
  /** Tables that this migration creates. They are empty, and nobody else knows them. */
  created: Set<string>;
  /** Constraints that this migration adds. */
  added: Set<string>;
  /** `table.column` for every check `column is not null`, by the name of its constraint. */
  notNullChecks: Map<string, string>;
  /** Columns of which such a check is validated. */
  validated: Set<string>;
}

type Rule<T> = (value: T, context: MigrationContext, table: string) => string[];

const nameOf = (node: Node | undefined) => (node !== undefined && 'String' in node ? node.String.sval : undefined);

function* unwrap<Key extends string>(nodes: Node[] | undefined, key: Key) {
  for (const node of nodes ?? []) {
    if (key in node) yield (node as Record<Key, unknown>)[key];
  }
}
const constraintsOf = (column: ColumnDef) => [...unwrap(column.constraints, 'Constraint')] as Constraint[];

/** Returns whether every row gets the same value, so that PostgreSQL need not write the rows. */
function isConstant(node: Node | undefined): boolean {
  if (node === undefined) return true;
  if ('A_Const' in node || 'SQLValueFunction' in node) return true;
  if ('TypeCast' in node) return isConstant(node.TypeCast.arg);
  if ('A_ArrayExpr' in node) return (node.A_ArrayExpr.elements ?? []).every(isConstant);
  return 'FuncCall' in node && nameOf(node.FuncCall.funcname?.at(-1)) === 'now';
}

const serialTypes = new Set(['serial', 'bigserial', 'smallserial', 'serial2', 'serial4', 'serial8']);
const inlineConstraints = ['CONSTR_CHECK', 'CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_FOREIGN', 'CONSTR_EXCLUSION'];

const checkAddedColumn: Rule<ColumnDef> = (column) => {
  const constraints = constraintsOf(column);
  const types = constraints.map(({ contype }) => contype ?? '');
  const fallback = constraints.find(({ contype }) => contype === 'CONSTR_DEFAULT');
  const type = nameOf(column.typeName?.names?.at(-1)) ?? '';
  return [
    ...(types.some((one) => inlineConstraints.includes(one))
      ? ['adds a column with a constraint, which Citus refuses. Add the constraint in its own statement, not valid']
      : []),
    ...(serialTypes.has(type) || types.includes('CONSTR_IDENTITY') || types.includes('CONSTR_GENERATED')
      ? ['adds a column whose values differ per row, which rewrites the table. Add it without, and fill it in batches']
      : []),
    ...(isConstant(fallback?.raw_expr)
      ? []
      : ['adds a column with a default that may differ per row, which rewrites the table. Use a constant']),
    ...(types.includes('CONSTR_NOTNULL') && fallback === undefined
      ? ['adds a column that is not null without a default. The previous release inserts rows without it']
      : []),
  ];
};

const isSetNull = ({ contype, fk_del_action: action, fk_attrs: columns }: Constraint) =>
  contype === 'CONSTR_FOREIGN' &&
  (action === 'n' || action === 'd') &&
  (columns ?? []).some((column) => nameOf(column) === 'company_id');

/** Citus refuses it even if only another column is set to null. */
const checkForeignKey: Rule<Constraint> = (constraint) =>
  isSetNull(constraint) ? ['sets columns of a key with company_id on delete, which Citus refuses. Use no action'] : [];

/** Returns the column of a check `column is not null`. */
function notNullColumn({ contype, raw_expr: expression }: Constraint): string | undefined {
  if (contype !== 'CONSTR_CHECK' || expression === undefined || !('NullTest' in expression)) return undefined;
  const { arg, nulltesttype } = expression.NullTest;
  if (nulltesttype !== 'IS_NOT_NULL' || arg === undefined || !('ColumnRef' in arg)) return undefined;
  return nameOf(arg.ColumnRef.fields?.at(-1));
}

const checkAddedConstraint: Rule<Constraint> = (constraint, context, table) => {
  const { contype, conname = '', skip_validation: isDeferred } = constraint;
  context.added.add(`${table}.${conname}`);
  const column = notNullColumn(constraint);
  if (column !== undefined) context.notNullChecks.set(`${table}.${conname}`, `${table}.${column}`);
  if (contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN') {
    if (isDeferred) return checkForeignKey(constraint, context, table);
    return [
      'adds a constraint that reads the whole table under a lock. Add it not valid, and validate it in the next migration',
      ...checkForeignKey(constraint, context, table),
    ];
  }
  return ['adds a constraint that needs an index or reads the table under a lock. Create a unique index concurrently'];
};

const checkValidation: Rule<string> = (name, context, table) => {
  const column = context.notNullChecks.get(`${table}.${name}`);
  if (column !== undefined) context.validated.add(column);
  return context.added.has(`${table}.${name}`)
    ? ['validates a constraint in the transaction that adds it, and holds its lock meanwhile. Use the next migration']
    : [];
};

const checkNotNull: Rule<string> = (column, { validated }, table) =>
  validated.has(`${table}.${column}`)
    ? []
    : ['sets not null, which reads the whole table under a lock. Validate a check "column is not null" before'];

/** Throws away nothing that a running release could still read. */
const checkRemoval: Rule<string> = (what, { migration }) =>
  migration.unreadSince === undefined
    ? [`${what} what the previous release may read. Name the release that stopped: -- migrate: unread since X.Y.Z`]
    : [];

/** Changes that only touch the catalogue. */
const harmless = new Set([
  'AT_ColumnDefault',
  'AT_DropNotNull',
  'AT_DropConstraint',
  'AT_SetStatistics',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_SetStorage',
]);

const checkCommand: Rule<AlterTableCmd> = ({ subtype = '', def, name = '' }, context, table) => {
  const column = def !== undefined && 'ColumnDef' in def ? def.ColumnDef : {};
  const constraint = def !== undefined && 'Constraint' in def ? def.Constraint : {};
  if (subtype === 'AT_AddColumn') return checkAddedColumn(column, context, table);
  if (subtype === 'AT_AddConstraint') return checkAddedConstraint(constraint, context, table);
  if (subtype === 'AT_ValidateConstraint') return checkValidation(name, context, table);
  if (subtype === 'AT_SetNotNull') return checkNotNull(name, context, table);
  if (subtype === 'AT_DropColumn') return checkRemoval('drops', context, table);
  if (subtype === 'AT_AlterColumnType')
    return ['changes the type of a column, which rewrites the table. Add a new column instead'];
  return harmless.has(subtype) ? [] : [`uses ${subtype}, which is not known to be harmless on a large table`];
};

export const checkAlterTable: Rule<AlterTableStmt> = ({ cmds = [] }, context, table) => {
  const commands = [...unwrap(cmds, 'AlterTableCmd')] as AlterTableCmd[];
  const isNew = context.created.has(table);
  return [
    ...(commands.length > 1 ? ['makes several changes in one ALTER TABLE, which Citus refuses. Use one each'] : []),
    ...commands.flatMap((command) => {
      const constraint = command.def !== undefined && 'Constraint' in command.def ? command.def.Constraint : {};
      return isNew ? checkForeignKey(constraint, context, table) : checkCommand(command, context, table);
    }),
  ];
};

export const checkCreateTable: Rule<Node[]> = (elements, context, table) =>
  elements.flatMap((element) => {
    if ('Constraint' in element) return checkForeignKey(element.Constraint, context, table);
    if (!('ColumnDef' in element)) return [];
    const { colname = '' } = element.ColumnDef;
    return constraintsOf(element.ColumnDef).flatMap((constraint) =>
      checkForeignKey({ ...constraint, fk_attrs: [{ String: { sval: colname } }] }, context, table),
    );
  });

export const checkIndex: Rule<IndexStmt> = (index, { created, migration }, table) => {
  if (created.has(table)) return [];
  if (!index.concurrent) return ['creates an index under a lock that stops writes. Create it concurrently'];
  return [
    ...(migration.isTransactional ? ['must run outside of a transaction: -- migrate: no transaction'] : []),
    ...(index.if_not_exists && findCreatedIndex(migration) === index.idxname
      ? []
      : ['must begin with "create index concurrently if not exists NAME", so that it can be repeated after a crash']),
  ];
};

export const checkRename = checkRemoval;
export const checkDrop: Rule<{ kind: string; isConcurrent: boolean; isRepeatable: boolean }> = (
  drop,
  context,
  table,
) => {
  if (drop.kind !== 'OBJECT_INDEX') return checkRemoval('drops', context, table);
  if (!drop.isConcurrent) return ['drops an index under a lock that stops reads. Drop it concurrently'];
  return [
    ...(context.migration.isTransactional ? ['must run outside of a transaction: -- migrate: no transaction'] : []),
    ...(drop.isRepeatable ? [] : ['must say "if exists", so that it can be repeated after a crash']),
  ];
};
