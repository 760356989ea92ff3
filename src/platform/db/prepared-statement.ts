import { CompiledQuery, type RawBuilder } from 'kysely';
import type { Db, Tx } from './database.ts';
import { findDirectExecutor } from './direct-statements.ts';

/** Represents a value while the text of a statement is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface Text {
  sql: string;
  /** The parameters in the order of the text: the value itself, or its placeholder. */
  parameters: readonly unknown[];
}

/** Shapes derive from request parameters. Beyond this many shapes, the text is built anew each time. */
const maxShapes = 500;

/**
 * Creates a statement whose text depends on its shape and on which values are given. Builds and compiles the text once
 * per combination, because that takes longer than all other work of this process for a small response. `build` receives
 * the shape and placeholders instead of the values, so that no data of one request can remain in the text of another.
 */
export function preparedStatement<Shape extends object, Values extends object, Row>(
  build: (shape: Shape, values: Values) => RawBuilder<Row>,
): (db: Db | Tx, shape: Shape, values: Values) => Promise<Row[]> {
  const texts = new Map<string, Text>();

  function compile(db: Db | Tx, shape: Shape, given: string[]): Text {
    const slots = Object.fromEntries(given.map((name) => [name, new Placeholder(name)]));
    return build(shape, slots as Values).compile(db);
  }

  return async (db, shape, values) => {
    const given = Object.keys(values).filter((name) => values[name as keyof Values] !== undefined);
    const key = JSON.stringify([shape, given]);
    const known = texts.get(key);
    const text = known ?? compile(db, shape, given);
    if (known === undefined && texts.size < maxShapes) texts.set(key, text);
    const filled = text.parameters.map((one) => (one instanceof Placeholder ? values[one.name as keyof Values] : one));
    const execute = findDirectExecutor(db);
    if (execute !== undefined) return (await execute(text.sql, filled)).rows as Row[];
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text.sql, filled));
    return rows;
  };
}
