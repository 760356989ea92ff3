import { readFile, stat } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { writeOutput } from '../../../platform/cli/files.ts';
import { OperatorError } from '../../../platform/config/operator-error.ts';
import { parseForeignJson } from '../../../platform/http/json-limits.ts';
import type { CompanyContext } from '../../context.ts';
import { responseLimits } from '../providers/http-client.ts';
import { readCaseFile } from './cases.ts';
import { type PullCase, PullCaseSchema, type ScimCase, ScimCaseSchema } from './contract.ts';

const maxFileBytes = 32 * 1024 * 1024;

/** Writes the file of a case to a path. */
export async function saveCaseFile(context: CompanyContext, input: { id: number; caseId: number; out: string }) {
  const file = await readCaseFile(context, input);
  await writeOutput(input.out, file);
  return { ...input, sizeBytes: file.length };
}

/** Reads a case that somebody has sent. It is not trusted: its size, form and depth are limited. */
export async function openCase(path: string): Promise<PullCase | ScimCase> {
  const refuse = (why: string) => new OperatorError(`${path} ${why}`);
  const { size } = await stat(path).catch((error: { code?: string }) => {
    throw refuse(`cannot be read (${error.code}). Give the path of a case.`);
  });
  if (size > maxFileBytes) throw refuse('is larger than 32 MB. The service saves no such cases.');
  let value: unknown;
  try {
    value = parseForeignJson(await readFile(path), responseLimits);
  } catch {
    throw refuse('is not JSON within the limits of a case. Download it again.');
  }
  if (Value.Check(PullCaseSchema, value) || Value.Check(ScimCaseSchema, value)) return value;
  throw refuse('is not a case of this version. Download it from the page of the integration.');
}
