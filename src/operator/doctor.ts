import { examine } from './doctor/index.ts';
import type { CommandContext } from '../platform/cli/define.ts';

export const runDoctor = (_options: unknown, { settings }: CommandContext) => examine(settings);
