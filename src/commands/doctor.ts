import { examine } from '../doctor/index.ts';
import type { CommandContext } from './define.ts';

export const runDoctor = (_options: unknown, { settings }: CommandContext) => examine(settings);
