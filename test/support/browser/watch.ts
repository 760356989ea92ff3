import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';

/** Records the errors that a browser reported and the other hosts that it contacted. */
export interface Record {
  /** Throws if anything was recorded, and clears the record. */
  assertClean(): void;
  /** Removes the errors that contain one of these texts, which the test has provoked. Throws if there are none. */
  expectErrors(...texts: string[]): void;
  /** Removes the refusals with this status, which the test has provoked. Throws if there are none. */
  expectRefusal(status: number): void;
  /** Removes the requests to another origin, which the test has provoked. Throws if there are none. */
  expectRequestsTo(origin: string): void;
}

/**
 * Matches the console error for a 401, which is expected. Chromium logs every refused request, and the service refuses
 * with 401 a user who is not signed in or types a wrong password.
 */
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
  const expectErrors = (...texts: string[]) => {
    const others = complaints.filter((complaint) => !texts.some((text) => complaint.includes(text)));
    assert(others.length < complaints.length, `the console shows: ${texts.join(', ')}`);
    complaints.splice(0, complaints.length, ...others);
  };
  return {
    expectErrors,
    expectRefusal: (status) => expectErrors(`responded with a status of ${status}`),
    expectRequestsTo(other) {
      const others = foreign.filter((url) => new URL(url).origin !== other);
      assert(others.length < foreign.length, `no request to ${other}`);
      foreign.splice(0, foreign.length, ...others);
    },
    assertClean() {
      assert.deepEqual(complaints.splice(0), [], 'the console shows no error');
      assert.deepEqual(foreign.splice(0), [], 'no other host is contacted');
    },
  };
}
