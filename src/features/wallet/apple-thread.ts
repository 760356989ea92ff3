import { workerData } from 'node:worker_threads';
import type { ApplePassOptions } from './apple-pass.ts';
import type { Pass } from './present.ts';

/** The library signs in JavaScript, 25 to 45 ms per pass, and other requests must not wait for that. */

// If there is a navigator, the library's arithmetic assumes a browser of 2005 and takes 1.6 times as long.
Reflect.deleteProperty(globalThis, 'navigator');
const { makeApplePass } = await import('./apple-pass.ts');

export default (pass: Pass): Uint8Array => makeApplePass(pass, workerData as ApplePassOptions);
