import { readdir, readFile } from 'node:fs/promises';
import type { AppleWalletSettings } from '../../platform/config/config.ts';
import { createThread } from '../../platform/threads/thread.ts';
import { readSigningMaterial } from './apple-certificate.ts';
import type { ApplePassOptions } from './apple-pass.ts';
import { cachePasses } from './pass-cache.ts';
import type { Pass } from './present.ts';

export interface AppleWallet {
  /** When the certificate expires. */
  expiresAt: Temporal.Instant;
  /** Returns the bytes of a .pkpass file. */
  makePass(pass: Pass): Promise<Buffer>;
}

async function readImages(): Promise<Record<string, Uint8Array>> {
  const folder = new URL('./assets/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png'));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(encodeURIComponent(name), folder))])),
  );
}

export async function openAppleWallet(settings: AppleWalletSettings): Promise<AppleWallet> {
  const { expiresAt, ...material } = await readSigningMaterial(settings);
  const { passType, team } = settings;
  const options: ApplePassOptions = { passType, team, ...material, images: await readImages() };
  const thread = createThread<Pass, Uint8Array>(new URL('./apple-thread.ts', import.meta.url), options);
  return { expiresAt, makePass: cachePasses(async (pass) => Buffer.from(await thread.run(pass))) };
}
