import type { CommandContext } from '../platform/cli/define.ts';
import { buildOfflineApp } from './offline-app.ts';

export async function createOpenApiDocument({ config }: Pick<CommandContext, 'config'>) {
  const app = await buildOfflineApp(config);
  const document = app.swagger();
  await app.close();
  return document;
}

export const printOpenApi = (_options: unknown, context: CommandContext) => createOpenApiDocument(context);
