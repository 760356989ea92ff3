import { readdir, readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { AppleWalletSettings } from '../config.ts';
import { readSigningMaterial } from './apple-certificate.ts';
import type { ApplePassMeans } from './apple-pass.ts';
import type { Pass } from './present.ts';

export interface AppleWallet {
  /** When the certificate's time is over. */
  expiresAt: Temporal.Instant;
  /** The bytes of a .pkpass file. */
  makePass(pass: Pass): Promise<Buffer>;
}

export interface Order {
  number: number;
  pass: Pass;
}

export type Answer = { number: number; file: Uint8Array } | { number: number; error: Error };

async function readImages(): Promise<Record<string, Uint8Array>> {
  const folder = new URL('./assets/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png'));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(encodeURIComponent(name), folder))])),
  );
}

/** Starts with the first pass and anew after a failure. It never keeps the process from ending. */
function createThread(means: ApplePassMeans): AppleWallet['makePass'] {
  let running: Worker | undefined;
  let last = 0;
  const waiting = new Map<number, PromiseWithResolvers<Buffer>>();

  function start(): Worker {
    const thread = new Worker(new URL('./apple-thread.ts', import.meta.url), { workerData: means });
    const fail = (error: Error) => {
      if (running !== thread) return;
      running = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    thread.on('message', (answer: Answer) => {
      const order = waiting.get(answer.number);
      waiting.delete(answer.number);
      if ('error' in answer) order?.reject(answer.error);
      else order?.resolve(Buffer.from(answer.file));
    });
    thread.on('error', fail);
    thread.on('exit', (code) => fail(new Error(`The thread that makes passes ended with ${code}.`)));
    thread.unref();
    return thread;
  }

  return (pass) => {
    running ??= start();
    const order: Order = { number: ++last, pass };
    const answer = Promise.withResolvers<Buffer>();
    waiting.set(order.number, answer);
    running.postMessage(order);
    return answer.promise;
  };
}

export async function openAppleWallet(settings: AppleWalletSettings): Promise<AppleWallet> {
  const { expiresAt, ...material } = await readSigningMaterial(settings);
  const { passType, team } = settings;
  return { expiresAt, makePass: createThread({ passType, team, ...material, images: await readImages() }) };
}
