import type { CommandContext } from '../platform/cli/define.ts';

/** Lists the settings as they take effect. Secrets are masked. */
export const checkConfig = async (_options: unknown, { settings }: CommandContext) => ({
  settings: settings.effective,
  problems: settings.problems.map((problem) => ({ problem })),
  warnings: settings.warnings.map((warning) => ({ warning })),
});
