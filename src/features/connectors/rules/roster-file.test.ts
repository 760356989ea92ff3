import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSameState } from '../../../platform/sftp/files.ts';
import { findFileProblem, findNewest } from './roster-file.ts';

const now = Temporal.Instant.from('2026-11-16T02:00:00Z');
const file = (name: string, hoursAgo: number, bytes = 100) => ({
  name,
  bytes,
  modifiedAt: now.subtract({ hours: hoursAgo }),
});

describe('a roster file', () => {
  it('is the newest, and the last by name if several are equally new', () => {
    assert.equal(findNewest([]), undefined);
    assert.equal(findNewest([file('a', 30), file('b', 2), file('c', 20)])?.name, 'b');
    assert.equal(findNewest([file('2026-11-14', 2), file('2026-11-15', 2)])?.name, '2026-11-15');
  });

  it('is refused if it is two days old, empty, or smaller than half of the last one', () => {
    assert.equal(findFileProblem(file('a', 47), undefined, now), undefined);
    assert.deepEqual(findFileProblem(file('a', 48), undefined, now), { key: 'file-old', values: { days: 2 } });
    assert.deepEqual(findFileProblem(file('a', 1, 0), undefined, now), { key: 'file-empty', values: {} });
    assert.equal(findFileProblem(file('a', 1, 50), 100, now), undefined);
    const small = { key: 'file-small', values: { bytes: 49, lastBytes: 100 } };
    assert.deepEqual(findFileProblem(file('a', 1, 49), 100, now), small);
  });

  it('still grows if its size or time has changed', () => {
    assert(isSameState(file('a', 1), file('a', 1)));
    assert(!isSameState(file('a', 1), file('a', 1, 101)));
    assert(!isSameState(file('a', 1), file('a', 2)));
  });
});
