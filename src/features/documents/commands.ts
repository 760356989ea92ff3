import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { changeCompany, createNoEmployeeError } from '../command-context.ts';
import { employeeExists } from '../employees/store.ts';
import { isPdf, addDocument as storeDocument } from './add.ts';
import { openDocumentStore } from './files.ts';

async function readContent(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}. Check --file.`);
  }
}

/** Returns the file type by the file's extension. Throws if a file named as PDF does not begin like one. */
function fileTypeOf(file: string, content: Buffer): string {
  const fileType = extname(file).slice(1).toLowerCase() || 'bin';
  if (!/^[a-z0-9]{1,10}$/.test(fileType)) throw new OperatorError(`${file} has an unusual extension: rename it.`);
  if (fileType === 'pdf' && !isPdf(content)) {
    throw new OperatorError(`${file} ends in .pdf but is not a PDF file: choose another file or rename it.`);
  }
  return fileType;
}

interface AddOptions {
  company: CompanyId;
  employee?: number | undefined;
  file: string;
  name: string;
}

export async function addDocument(options: AddOptions, { config }: CommandContext) {
  const { company: companyId, employee: employeeId, file, name } = options;
  const content = await readContent(file);
  const fileType = fileTypeOf(file, content);
  const store = await openDocumentStore(config.documentStore);
  return changeCompany(config, companyId, async (tx, now) => {
    if (employeeId !== undefined && !(await employeeExists(tx, companyId, employeeId))) {
      throw createNoEmployeeError(companyId, employeeId);
    }
    const document = { employeeId: employeeId ?? null, name, fileType, content };
    return { id: await storeDocument(tx, { store, companyId, now }, document) };
  });
}
