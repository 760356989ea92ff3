import { type CommandDefinition, type CommandOptions, command } from '../platform/cli/define.ts';
import { companyId, type OptionDefinition, required, type ValuesOf } from '../platform/cli/options.ts';
import type { CompanyContext, EngineContext } from './context.ts';

interface Definition<Context, O extends Record<string, OptionDefinition>> extends Omit<CommandOptions<O>, 'load'> {
  /** Loads the use case. */
  load(): Promise<(context: Context, input: ValuesOf<O>) => Promise<unknown>>;
}

/** Defines a command that calls a use case of one company. Its input are the options besides `--company`. */
// biome-ignore lint/complexity/noBannedTypes: a command without options has no names to look up.
export const companyCommand = <O extends Record<string, OptionDefinition> = {}>(
  definition: Definition<CompanyContext, O>,
): CommandDefinition =>
  command({
    ...definition,
    options: { company: required(companyId()), ...definition.options },
    async load() {
      const [{ withCompany }, useCase] = await Promise.all([import('./command-context.ts'), definition.load()]);
      return ({ company, ...input }, { config }) =>
        withCompany(config, company, (context) => useCase(context, input as unknown as ValuesOf<O>));
    },
  });

/** Defines such a command whose use case does the work of a job. */
// biome-ignore lint/complexity/noBannedTypes: a command without options has no names to look up.
export const engineCommand = <O extends Record<string, OptionDefinition> = {}>(
  definition: Definition<EngineContext, O>,
): CommandDefinition =>
  command({
    ...definition,
    options: { company: required(companyId()), ...definition.options },
    async load() {
      const [{ assertCompany, withEngine }, useCase] = await Promise.all([
        import('./command-context.ts'),
        definition.load(),
      ]);
      return ({ company, ...input }, { config }) =>
        withEngine(config, async (engine) => {
          await assertCompany(engine.db, company);
          return useCase({ config, companyId: company, ...engine }, input as unknown as ValuesOf<O>);
        });
    },
  });
