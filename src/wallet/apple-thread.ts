import { workerData } from 'node:worker_threads';
import { answerInThread } from '../thread.ts';
import type { ApplePassOptions } from './apple-pass.ts';
import type { Pass } from './present.ts';

/**
 * Passes are made in a thread of their own: the library signs in JavaScript, which takes 25 to 45 ms for each, and nobody
 * else's request should wait for that.
 */

// The library's arithmetic takes whatever has a navigator for a browser of 2005 and then needs 1.6 times as long.
Reflect.deleteProperty(globalThis, 'navigator');
const { makeApplePass } = await import('./apple-pass.ts');

answerInThread((pass: Pass): Uint8Array => makeApplePass(pass, workerData as ApplePassOptions));
