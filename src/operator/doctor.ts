import type { CommandContext } from '../platform/cli/define.ts';
import { examine } from './doctor/index.ts';

export const runDoctor = (_options: unknown, { settings }: CommandContext) => examine(settings);
