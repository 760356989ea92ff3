import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Order } from './apple.ts';
import type { ApplePassMeans } from './apple-pass.ts';

/**
 * Passes are made in a thread of their own: the library signs in JavaScript, which takes 25 to 45 ms for each, and nobody
 * else's request should wait for that.
 */

// The library's arithmetic takes whatever has a navigator for a browser of 2005 and then needs 1.6 times as long.
Reflect.deleteProperty(globalThis, 'navigator');
const { makeApplePass } = await import('./apple-pass.ts');

const port = parentPort;
if (port === null) throw new Error('This module runs as a worker thread.');

function answer({ number, pass }: Order): Answer {
  try {
    return { number, file: makeApplePass(pass, workerData as ApplePassMeans) };
  } catch (error) {
    return { number, error: error as Error };
  }
}

port.on('message', (order: Order) => port.postMessage(answer(order)));
