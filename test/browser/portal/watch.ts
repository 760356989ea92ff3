import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';

/** What a browser complained about, and whom it asked. */
export interface Record {
  /** Insists that it is clean, and begins anew. */
  assertClean(): void;
}

/** Chromium notes every refusal; a person who is not signed in, or types a wrong password, is refused with this one. */
const refusal = /^Failed to load resource: the server responded with a status of 401/;

export function recordOf(context: BrowserContext, origin: string): Record {
  const complaints: string[] = [];
  const foreign: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !refusal.test(message.text())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) foreign.push(request.url());
  });
  return {
    assertClean() {
      assert.deepEqual(complaints.splice(0), [], 'nothing is wrong by the console');
      assert.deepEqual(foreign.splice(0), [], 'no other host is asked');
    },
  };
}
