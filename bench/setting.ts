import { asCompanyId } from '../src/platform/db/company-scope.ts';
import { basic } from '../test/support/app.ts';
import { makeKey } from '../test/support/factories.ts';
import { type BenchDatabase, type Population, withDatabase } from './database.ts';
import { type Running, startService } from './processes/index.ts';

export const population = {
  full: { employees: 1_000_000, companies: 1_000, large: 100_000, middle: 10_000 },
  quick: { employees: 20_000, companies: 100, large: 10_000, middle: 2_000 },
};

export interface Setting extends BenchDatabase {
  dataDir: string;
  service: Running;
  headersOf(company: number): Promise<Record<string, string>>;
}

/** Runs the service on the large database, as a separate process. */
export const withSetting = <T>(population: Population, work: (setting: Setting) => Promise<T>): Promise<T> =>
  withDatabase(population, async (database, dataDir) => {
    const service = await startService(dataDir, { DATABASE_URL: database.url });
    const headersOf = async (company: number) => ({
      authorization: basic(await makeKey(database.db, asCompanyId(company))),
    });
    try {
      return await work({ ...database, dataDir, service, headersOf });
    } finally {
      await service.stop();
    }
  });
