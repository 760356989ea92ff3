import assert from 'node:assert/strict';
import type { TestApp } from '../app.ts';
import { until } from '../until.ts';

/** Describes the head of a response. Of headers that differ between equal requests, only the names are included. */
export function describeHead({ status, headers }: { status: number; headers: Headers }) {
  const changing = ['x-request-id', 'date', 'ratelimit', 'ratelimit-remaining', 'ratelimit-reset'];
  const names = changing.filter((name) => headers.has(name));
  const others = [...headers].filter(([name]) => !changing.includes(name)).sort();
  return { status, names, others };
}

/** Returns the one log line of a response, without what differs between equal requests. */
export async function findLogLine({ logs }: TestApp, { headers }: { headers: Headers }) {
  const id = headers.get('x-request-id') ?? '';
  await until('the response is logged', () => logs.some((line) => line.includes(id)));
  const lines = logs.map((line) => JSON.parse(line)).filter((line) => line.requestId === id);
  assert.equal(lines.length, 1);
  const { time: _time, requestId: _id, ms, ...line } = lines[0];
  assert.equal(typeof ms, 'number');
  return line;
}
