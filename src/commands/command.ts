import { pino } from 'pino';
import { type EnvironmentClock, openClock, readNow } from '../clock.ts';
import { findCompany } from '../companies.ts';
import type { Config } from '../config.ts';
import { asCompanyId, type CompanyId } from '../db/company-scope.ts';
import type { Db, Tx } from '../db/database.ts';
import type { Day } from '../domain/calendar.ts';
import { findTextProblem } from '../domain/single-line-text.ts';
import { isPlainDate } from '../http/formats.ts';
import type { Queue } from '../jobs/queue.ts';
import { openDatabase } from '../open-database.ts';
import { OperatorError } from '../operator-error.ts';

/** Parses the values of `--name value` options and the positional arguments. Its methods describe what is invalid. */
export interface Arguments {
  text(name: string): string;
  optionalText(name: string): string | undefined;
  id(name: string): number;
  companyId(): CompanyId;
  word<T extends string>(name: string, allowed: readonly T[]): T;
  optionalWord<T extends string>(name: string, allowed: readonly T[]): T | undefined;
  words<T extends string>(name: string, allowed: readonly T[]): T[];
  optionalCents(name: string): number | undefined;
  cents(name: string): number;
  day(name: string): Day;
  month(name: string): Day;
  /** Returns whether an option without a value is given. */
  flag(name: string): boolean;
  positional(what: string): string;
}

export interface Command {
  usage: string;
  /** Returns the one JSON value that the command prints. `serve` prints its own output and returns nothing. */
  run(args: Arguments, config: Config): Promise<unknown>;
}

const wholeNumber = /^\d{1,15}$/;

export function createArguments(
  values: Record<string, string | boolean | undefined>,
  positionals: string[],
): Arguments {
  const optionalText = (name: string) => {
    const given = values[name];
    const value = typeof given === 'string' ? given.trim() : '';
    if (value === '') return undefined;
    const problem = findTextProblem(value);
    if (problem !== undefined) throw new OperatorError(`--${name} ${problem.detail}.`);
    return value;
  };
  const text = (name: string) => {
    const value = optionalText(name);
    if (value === undefined) throw new OperatorError(`--${name} is missing.`);
    return value;
  };
  const id = (name: string) => {
    const value = text(name);
    if (!wholeNumber.test(value)) throw new OperatorError(`--${name} must be an id, but is "${value}".`);
    return Number(value);
  };
  const word = <T extends string>(name: string, allowed: readonly T[]): T => {
    const value = text(name);
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined)
      throw new OperatorError(`--${name} must be one of ${allowed.join(', ')}, but is "${value}".`);
    return found;
  };
  const day = (name: string) => {
    const value = text(name);
    // The database has no year 0.
    if (!isPlainDate(value) || value.startsWith('0000'))
      throw new OperatorError(`--${name} must be a date YYYY-MM-DD, but is "${value}".`);
    return Temporal.PlainDate.from(value);
  };
  const cents = (name: string) => {
    const value = text(name);
    if (!/^\d{1,9}$/.test(value)) {
      throw new OperatorError(`--${name} must be a whole number of cents, but is "${value}".`);
    }
    return Number(value);
  };
  return {
    text,
    optionalText,
    id,
    day,
    month: (name) => {
      const first = day(name);
      if (first.day !== 1) throw new OperatorError(`--${name} must be the first day of a month, but is "${first}".`);
      return first;
    },
    cents,
    companyId: () => asCompanyId(id('company')),
    word,
    optionalWord: (name, allowed) => (optionalText(name) === undefined ? undefined : word(name, allowed)),
    words: (name, allowed) => {
      const given = text(name)
        .split(',')
        .map((item) => item.trim());
      if (given.length === 1 && given[0] === 'all') return [...allowed];
      const unknown = given.find((item) => !allowed.some((candidate) => candidate === item));
      if (unknown !== undefined) {
        throw new OperatorError(
          `--${name} must be "all" or a list of ${allowed.join(', ')}; "${unknown}" is none of them.`,
        );
      }
      return allowed.filter((candidate) => given.includes(candidate));
    },
    optionalCents: (name) => (optionalText(name) === undefined ? undefined : cents(name)),
    flag: (name) => values[name] === true,
    positional: (what) => {
      const [first] = positionals;
      if (first === undefined) throw new OperatorError(`${what} is missing.`);
      return first;
    },
  };
}

/**
 * Runs a change in one transaction on the configured database, whether or not the service is running. Its `now` is that
 * of the environment's clock.
 */
export async function inTransaction<T>(
  config: Config,
  change: (tx: Tx, now: Temporal.Instant) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ ...config, databasePoolSize: 2 }, { role: 'command' });
  try {
    return await database.db.transaction().execute(async (tx) => change(tx, await readNow(tx, config.environment)));
  } finally {
    await database.close();
  }
}

/** Dependencies of a command that does more than write a row. */
export interface Engine {
  db: Db;
  clock: EnvironmentClock;
  queue: Queue;
}

/**
 * Runs a command with connections like those of a worker, because it may take as long as a job. A worker processes the
 * jobs that it adds.
 */
export async function withEngine<T>(config: Config, use: (engine: Engine) => Promise<T>): Promise<T> {
  const { openQueue } = await import('../jobs/queue.ts');
  await using stops = new AsyncDisposableStack();
  const database = await openDatabase({ ...config, databasePoolSize: 2 }, { role: 'command' });
  stops.defer(database.close);
  const { db, close } = database.connect({ max: 2, streaming: true });
  stops.defer(close);
  const clock = await openClock(db, config.environment);
  stops.defer(clock.stop);
  const queue = await openQueue({ url: database.url, worker: false, log: pino({ level: 'silent' }) });
  stops.defer(queue.stop);
  return await use({ db, clock, queue });
}

export async function assertCompany(db: Db | Tx, companyId: CompanyId): Promise<void> {
  if (!(await findCompany(db, companyId))) throw new OperatorError(`There is no company ${companyId}.`);
}
