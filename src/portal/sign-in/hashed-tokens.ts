import { hash } from 'node:crypto';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth';

const hashOf = (token: unknown) => hash('sha256', String(token), 'hex');

const isToken = ({ field }: Where) => field === 'token';

/** What better-auth asks for by token is looked for by its hash. */
const hashed = <T extends { model: string; where?: Where[] | undefined }>(query: T): T =>
  query.model === 'session' && query.where
    ? { ...query, where: query.where.map((one) => (isToken(one) ? { ...one, value: hashOf(one.value) } : one)) }
    : query;

/** The session as better-auth knows it: with the token that it asked for. */
const named = <T>(row: T, { model, where }: { model: string; where: Where[] }): T => {
  const token = where.find(isToken)?.value;
  return model === 'session' && row !== null && token !== undefined ? { ...row, token } : row;
};

function hashWithin(adapter: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...adapter,
    async create(row) {
      if (row.model !== 'session') return adapter.create(row);
      const { token } = row.data as { token?: unknown };
      const made = await adapter.create({ ...row, data: { ...row.data, token: hashOf(token) } });
      return { ...made, token } as never;
    },
    findOne: async (query) => named(await adapter.findOne(hashed(query)), query) as never,
    update: async (query) => named(await adapter.update(hashed(query)), query) as never,
    findMany: (query) => adapter.findMany(hashed(query)),
    count: (query) => adapter.count(hashed(query)),
    updateMany: (query) => adapter.updateMany(hashed(query)),
    delete: (query) => adapter.delete(hashed(query)),
    deleteMany: (query) => adapter.deleteMany(hashed(query)),
  };
}

/**
 * better-auth keeps the tokens of sessions as they are. Whoever reads the database, or a copy of it, must not find there what
 * opens the portal: here each is kept as its SHA-256, which is enough for 190 random bits.
 */
export const hashTokens = (adapter: DBAdapter): DBAdapter => ({
  ...adapter,
  ...hashWithin(adapter),
  transaction: (work) => adapter.transaction((trx) => work(hashWithin(trx))),
});
