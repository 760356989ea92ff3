import { readFile } from 'node:fs/promises';
import { OperatorError } from '../../../platform/config/operator-error.ts';
import type { CompanyContext } from '../../context.ts';
import { createHintAddress, deleteHintAddress, storeHintSecret } from './address.ts';

interface HintsInput {
  id: number;
  secret: string | undefined;
  revoke: boolean;
}

async function readSecret(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    throw new OperatorError(`--secret: ${path} cannot be read (${error.code}). Give the path of a text file.`);
  });
  if (text.trim() === '')
    throw new OperatorError(`--secret: ${path} is empty. Write the secret of the HR system into it.`);
  return text;
}

export async function changeHintAddress(context: CompanyContext, { id, secret, revoke }: HintsInput) {
  if (revoke) {
    await deleteHintAddress(context, { id });
    return { id, revoked: true };
  }
  if (secret === undefined) return { id, ...(await createHintAddress(context, { id })) };
  await storeHintSecret(context, { id, signingSecret: await readSecret(secret) });
  return { id, isSigned: true };
}
