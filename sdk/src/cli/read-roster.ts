import { createReadStream, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type ColumnField, columnFields } from '../../../src/domain/choices.ts';
import { type ColumnChoices, describePlaces } from '../../../src/features/roster/rules/file/columns.ts';
import { openRosterFile } from '../../../src/features/roster/rules/file/open-roster-file.ts';
import { TableError } from '../../../src/platform/table/table-row.ts';
import type { RosterEntry } from '../hr-integrations.ts';
import { CommandError, usageError } from './errors.ts';

export interface RosterFile {
  employees: RosterEntry[];
  /** The columns of a table, and the fields that were recognised. Empty for JSON. */
  columns: { name: string; field: string | undefined }[];
  /** Replaces places in the roster by places in the file: `row 12, email`. */
  describe(text: string): string;
}

function readJson(file: string): RosterFile {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const { employees } = (Array.isArray(value) ? { employees: value } : value) as { employees?: RosterEntry[] };
  if (!Array.isArray(employees)) throw usageError(`${file} has no list of employees.`);
  return { employees, columns: [], describe: (text) => text };
}

/** Reads which column has which field: `{"Pers.-Nr.": "hrId", "Kommentar": null}`. */
function readMap(file: string): Record<string, ColumnField | null> {
  let map: unknown;
  try {
    map = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw usageError(`--map ${file}: ${(error as Error).message}.`);
  }
  if (typeof map !== 'object' || map === null || Array.isArray(map))
    throw usageError(`--map ${file}: must be an object.`);
  for (const [name, field] of Object.entries(map)) {
    if (field === null || columnFields.includes(field as ColumnField)) continue;
    throw usageError(`--map ${file}: ${name} has the unknown field ${field}. Use ${columnFields.join(', ')}, or null.`);
  }
  return map as Record<string, ColumnField | null>;
}

/** Returns a decision about every column: that of the map, otherwise what its name means. */
async function chooseColumns(file: string, map: Record<string, ColumnField | null>): Promise<ColumnChoices> {
  const { columns } = await openRosterFile(createReadStream(file));
  const names = columns.map(({ name }) => name);
  const unknown = Object.keys(map).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw usageError(`--map: the file has no column "${unknown}". It has ${names.join(', ')}.`);
  return columns.map(({ name, field }) => {
    const chosen = map[name];
    return chosen === undefined ? (field ?? null) : chosen;
  });
}

async function readTable(file: string, mapFile: string | undefined): Promise<RosterFile> {
  const choices = mapFile === undefined ? undefined : await chooseColumns(file, readMap(mapFile));
  const { columns, columnProblems, headingRow, entries } = await openRosterFile(createReadStream(file), { choices });
  if (columnProblems.length > 0) {
    const hint = 'Rename the columns, or name them in a file for --map.';
    throw new CommandError(`${file}: row ${headingRow} ${columnProblems.join('; ')}. ${hint}`);
  }
  const employees: RosterEntry[] = [];
  const rows: number[] = [];
  for await (const one of entries) {
    if ('problem' in one) throw new CommandError(`${file}: row ${one.row} ${one.problem.detail}.`);
    employees.push(one.entry as unknown as RosterEntry);
    rows.push(one.row);
  }
  return { employees, columns, describe: (text) => describePlaces(text, { rowOf: (entry) => rows[entry], columns }) };
}

/** Reads a roster from a file: CSV and Excel as spreadsheets write them, or JSON. */
export async function readRosterFile(file: string, mapFile: string | undefined): Promise<RosterFile> {
  try {
    return extname(file).toLowerCase() === '.json' ? readJson(file) : await readTable(file, mapFile);
  } catch (error) {
    if (error instanceof TableError) {
      throw new CommandError(`${file}: ${error.row === undefined ? '' : `row ${error.row} `}${error.message}`);
    }
    const { code, message } = error as { code?: string; message: string };
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES')
      throw usageError(`${file} cannot be read (${code}).`);
    if (error instanceof SyntaxError) throw new CommandError(`${file} is no JSON: ${message}.`);
    throw error;
  }
}
