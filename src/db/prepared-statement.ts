import { CompiledQuery, type RawBuilder } from 'kysely';
import type { Db, Tx } from './database.ts';

/** Stands where a value will be, while a statement's text is put together. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface Text {
  sql: string;
  /** In the order of the text's parameters: the value itself, or the slot that takes it. */
  parameters: readonly unknown[];
}

/** Shapes follow from what requests ask for; beyond this many the text is put together anew each time. */
const maxShapes = 500;

/**
 * A statement whose text follows from its shape and from which values are given. It is put together and compiled once for
 * each, because that takes longer than everything else this process does for a small answer. `build` sees the shape and
 * slots in place of the values, so that nothing of one request can stay in the text of another.
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
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text.sql, filled));
    return rows;
  };
}
