import type { Static, TObject } from 'typebox';
import type { Permission } from '../domain/enums.ts';
import type { CompanyId } from '../platform/db/company-scope.ts';
import type { Db } from '../platform/db/database.ts';
import type { CallApi } from './call-api.ts';

export interface ToolContext {
  call: CallApi;
  db: Db;
  companyId: CompanyId;
}

/** What a tool returns. Only structured data, so that free text stays inside of it. */
export type ToolResult = Record<string, unknown>;

export interface Tool<Input extends TObject = TObject> {
  name: string;
  title: string;
  description: string;
  /** A key without these permissions is not offered the tool. */
  permissions: readonly Permission[];
  /** Clients ask the person before they call it. */
  changesData?: true;
  input: Input;
  output: TObject;
  /** Where names and other text are that people or other systems have written. `*` stands for every item of a list. */
  freeText: readonly string[];
  run(input: Static<Input>, context: ToolContext): Promise<ToolResult>;
}

export const defineTool = <Input extends TObject>(tool: Tool<Input>): Tool => tool as unknown as Tool;

/** Returns a path with a query. Lists repeat their name, and what is undefined is left out. */
export function withQuery(path: string, query: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) parameters.append(name, String(one));
  }
  return `${path}?${parameters}`;
}
