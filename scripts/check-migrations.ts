import { type Node, parse } from 'libpg-query';
import { isAtLeast, readVersion } from '../src/platform/config/version.ts';
import { type Migration, readMigrations } from '../src/platform/db/migrate-files.ts';
import {
  checkAlterTable,
  checkCreateTable,
  checkDrop,
  checkIndex,
  checkRename,
  type MigrationContext,
} from './migration-rules.ts';

/**
 * Checks new migrations: they must run beside the previous release, must not lock or rewrite large tables, and must work
 * on Citus.
 */

/** The baseline runs on empty databases only. */
const baseline = '0001';

export interface MigrationProblem {
  file: string;
  line: number;
  problem: string;
}

const renamable = new Set(['OBJECT_INDEX', 'OBJECT_TABCONSTRAINT']);

/** Statements that neither lock nor remove what others use. */
const harmless = [
  'CommentStmt',
  'CreateEnumStmt',
  'CreateFunctionStmt',
  'CreateSchemaStmt',
  'CreateSeqStmt',
  'GrantStmt',
  'InsertStmt',
  'SelectStmt',
  'VariableSetStmt',
  'ViewStmt',
];

const tableOf = ({ relname = '' }: { relname?: string } = {}) => relname;

function checkStatement(statement: Node, context: MigrationContext): string[] {
  if ('CreateStmt' in statement) {
    const { relation, tableElts = [] } = statement.CreateStmt;
    context.created.add(tableOf(relation));
    return checkCreateTable(tableElts, context, tableOf(relation));
  }
  if ('AlterTableStmt' in statement) {
    const { relation } = statement.AlterTableStmt;
    return checkAlterTable(statement.AlterTableStmt, context, tableOf(relation));
  }
  if ('IndexStmt' in statement) {
    return checkIndex(statement.IndexStmt, context, tableOf(statement.IndexStmt.relation));
  }
  if ('DropStmt' in statement) {
    const { removeType = '', concurrent = false, missing_ok: isRepeatable = false } = statement.DropStmt;
    return checkDrop({ kind: removeType, isConcurrent: concurrent, isRepeatable }, context, '');
  }
  if ('RenameStmt' in statement) {
    return renamable.has(statement.RenameStmt.renameType ?? '') ? [] : checkRename('renames', context, '');
  }
  if ('UpdateStmt' in statement || 'DeleteStmt' in statement) {
    const { relation } = 'UpdateStmt' in statement ? statement.UpdateStmt : statement.DeleteStmt;
    const isSmall = context.created.has(tableOf(relation)) || /^-- migrate: few rows$/m.test(context.migration.text);
    return isSmall
      ? []
      : ['changes rows of an existing table. Do it in batches outside of migrations, or say -- migrate: few rows'];
  }
  const [kind = ''] = Object.keys(statement);
  return harmless.includes(kind) ? [] : [`uses ${kind}, which is not known to be harmless beside other processes`];
}

const isAloneAllowed = (statement: Node | undefined) =>
  statement !== undefined && ('IndexStmt' in statement || 'DropStmt' in statement);

function checkFile({ isTransactional, unreadSince }: Migration, statements: Node[]): string[] {
  return [
    ...(isTransactional || (statements.length === 1 && isAloneAllowed(statements[0]))
      ? []
      : ['must consist of one statement that creates or drops an index, because it runs outside of a transaction']),
    ...(unreadSince === undefined || isAtLeast(readVersion(), unreadSince)
      ? []
      : [`removes what is unread since ${unreadSince}, which is not released yet. Do it in the release after that`]),
  ];
}

/** Returns the line on which a statement begins. The parser counts bytes, and comments before it. */
function lineOf(text: string, offset: number): number {
  const bytes = Buffer.from(text);
  const gap = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/.exec(bytes.subarray(offset).toString())?.[0] ?? '';
  return `${bytes.subarray(0, offset)}${gap}`.split('\n').length;
}

type History = Pick<MigrationContext, 'notNullChecks' | 'validated'>;

async function checkMigration(migration: Migration, history: History): Promise<MigrationProblem[]> {
  const file = `migrations/${migration.name}`;
  const context: MigrationContext = { ...history, migration, created: new Set(), added: new Set() };
  const { stmts = [] } = await parse(migration.text);
  const found = stmts.flatMap(({ stmt, stmt_location: offset = 0 }) =>
    (stmt === undefined ? [] : checkStatement(stmt, context)).map((problem) => ({
      file,
      line: lineOf(migration.text, offset),
      problem,
    })),
  );
  const statements = stmts.flatMap(({ stmt }) => stmt ?? []);
  return [...checkFile(migration, statements).map((problem) => ({ file, line: 1, problem })), ...found];
}

/** Returns what is wrong with the new migrations of a folder. Absent: those of this version. */
export async function findMigrationProblems(folder?: string): Promise<MigrationProblem[]> {
  const history = { notNullChecks: new Map<string, string>(), validated: new Set<string>() };
  const problems: MigrationProblem[] = [];
  const migrations = await readMigrations(folder);
  for (const [index, migration] of migrations.entries()) {
    const number = migration.name.slice(0, 4);
    if (number === baseline) continue;
    // Names with an underscore belong to the steps of releases up to 0.3.0.
    if (migration.name[4] !== '-') {
      problems.push({ file: `migrations/${migration.name}`, line: 1, problem: 'needs a hyphen after its number' });
    }
    if (number === migrations[index - 1]?.name.slice(0, 4)) {
      problems.push({ file: `migrations/${migration.name}`, line: 1, problem: `has the number ${number} of another` });
    }
    problems.push(...(await checkMigration(migration, history)));
  }
  return problems;
}

if (import.meta.main) {
  const problems = await findMigrationProblems();
  for (const { file, line, problem } of problems) process.stderr.write(`${file}:${line}  ${problem}.\n`);
  process.stdout.write(`migrations: ${problems.length} problem${problems.length === 1 ? '' : 's'}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
