export interface Reference {
  table: string;
  parent: string;
}

/** Returns the root and all tables tied to it by foreign keys, each after those it refers to. Throws on a circle. */
export function orderByReferences(root: string, references: readonly Reference[]): string[] {
  const tied = new Set([root]);
  for (let size = 0; size < tied.size; ) {
    size = tied.size;
    for (const { table, parent } of references) if (tied.has(parent)) tied.add(table);
  }
  const waiting = new Map([...tied].sort().map((table) => [table, new Set<string>()]));
  for (const { table, parent } of references) {
    if (table !== parent && tied.has(parent)) waiting.get(table)?.add(parent);
  }
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const next = [...waiting].find(([, parents]) => parents.size === 0)?.[0];
    if (next === undefined) throw new Error(`Foreign keys form a circle: ${[...waiting.keys()].join(', ')}.`);
    ordered.push(next);
    waiting.delete(next);
    for (const parents of waiting.values()) parents.delete(next);
  }
  return ordered;
}
