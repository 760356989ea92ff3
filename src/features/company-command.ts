import { type CommandDefinition, type CommandOptions, command } from '../platform/cli/define.ts';
import { companyId, type OptionDefinition, required, type ValuesOf } from '../platform/cli/options.ts';
import type { Config } from '../platform/config/config.ts';
import type { CompanyId } from '../platform/db/company-scope.ts';
import type { Tx } from '../platform/db/database.ts';
import type { CompanyContext, EngineContext } from './context.ts';

type UseCase<Context, Input> = (context: Context, input: Input) => Promise<unknown>;

interface Definition<Context, O extends Record<string, OptionDefinition>> extends Omit<CommandOptions<O>, 'load'> {
  /** Loads the use case. */
  load(): Promise<UseCase<Context, ValuesOf<O>>>;
}

/** Runs a use case in a context, which it opens and closes. */
type Run<Context> = (
  contexts: typeof import('./command-context.ts'),
  options: { config: Config; report: (line: string) => void },
  company: CompanyId,
  use: (context: Context) => Promise<unknown>,
) => Promise<unknown>;

const commandIn =
  <Context>(own: Record<string, OptionDefinition>, run: Run<Context>) =>
  // biome-ignore lint/complexity/noBannedTypes: a command without options has no names to look up.
  <O extends Record<string, OptionDefinition> = {}>(definition: Definition<Context, O>): CommandDefinition =>
    command({
      ...definition,
      options: { ...own, ...definition.options },
      async load() {
        const [contexts, useCase] = await Promise.all([import('./command-context.ts'), definition.load()]);
        return (values, { config, stdout, stderr }) => {
          const { company, ...others } = values as { company: CompanyId };
          const input = ('company' in own ? others : values) as unknown as ValuesOf<O>;
          const report = (line: string) => stdout.isTTY && stderr.write(`${line}\n`);
          return run(contexts, { config, report }, company, (context) => useCase(context, input));
        };
      },
    });

const ofCompany = { company: required(companyId()) };

/** Defines a command that calls a use case of one company. Its input are the options besides `--company`. */
export const companyCommand = commandIn<CompanyContext>(ofCompany, ({ withCompany }, { config }, company, use) =>
  withCompany(config, company, use),
);

/** Defines such a command whose use case does the work of a job. */
export const engineCommand = commandIn<EngineContext>(
  ofCompany,
  ({ assertCompany, withEngine }, { config, report }, companyId, use) =>
    withEngine(config, async (engine) => {
      await assertCompany(engine.db, companyId);
      return use({ config, companyId, report, ...engine });
    }),
);

/** Defines a command that does the work of jobs, of no company or of the one that it finds. */
export const sharedEngineCommand = commandIn<Omit<EngineContext, 'companyId'>>(
  {},
  ({ withEngine }, { config }, _, use) => withEngine(config, (engine) => use({ config, ...engine })),
);

/** Defines a command that reads or changes what belongs to no company, in one transaction. */
export const sharedCommand = commandIn<{ tx: Tx; now: Temporal.Instant }>({}, ({ inTransaction }, { config }, _, use) =>
  inTransaction(config, (tx, now) => use({ tx, now })),
);
