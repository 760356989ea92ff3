import type { CommandContext } from '../platform/cli/define.ts';
import { assertSecret, readEncryption, writeSecretCheck } from '../platform/crypto/open-encryption.ts';
import { type RotateOptions, rotateSecrets } from '../platform/crypto/rotate-secrets.ts';
import { openDatabase } from '../platform/db/open-database.ts';

export async function rotateStoredSecrets(options: RotateOptions, { config }: CommandContext) {
  const encryption = await readEncryption(config);
  const stops = new AsyncDisposableStack();
  try {
    const { db, close } = await openDatabase({ ...config, databasePoolSize: 2 }, { role: 'command' });
    stops.defer(close);
    const tables = await rotateSecrets(db, encryption, options);
    if (!options.acceptLoss) await assertSecret(db, config, encryption);
    await writeSecretCheck(db, encryption);
    const sum = (key: 'rotated' | 'lost') => tables.reduce((total, table) => total + table[key], 0);
    return { rotated: sum('rotated'), lost: sum('lost'), tables };
  } finally {
    await stops.disposeAsync();
  }
}
