import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findPathProblem, matchesPattern } from './file-pattern.ts';

/** The definition, one character after another. Exponential, for short texts only. */
function matchesByDefinition(name: string, pattern: string): boolean {
  if (pattern === '') return name === '';
  const rest = pattern.slice(1);
  if (pattern.startsWith('*')) {
    return matchesByDefinition(name, rest) || (name !== '' && matchesByDefinition(name.slice(1), pattern));
  }
  return name !== '' && (pattern.startsWith('?') || name[0] === pattern[0]) && matchesByDefinition(name.slice(1), rest);
}

describe('a pattern of file names', () => {
  it('matches what its definition says', () => {
    const text = (characters: string[], maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...characters), maxLength });
    fc.assert(
      fc.property(text(['a', 'b', 'ä'], 9), text(['a', 'b', '*', '?'], 7), (name, pattern) => {
        assert.equal(matchesPattern(name, pattern), matchesByDefinition(name, pattern));
      }),
      { numRuns: 3_000 },
    );
  });

  it('takes a character outside of the basic plane as one, and ignores hidden files', () => {
    assert(matchesPattern('roster-😀.csv', 'roster-?.csv'));
    assert(!matchesPattern('.roster.csv', '*.csv'));
    assert(matchesPattern('.roster.csv', '.*.csv'));
  });

  it('ends on the names and patterns that take longest', () => {
    const steps = (pattern: string) => Array.from({ length: 500 }, () => matchesPattern('a'.repeat(255), pattern));
    for (const pattern of [`${'*a'.repeat(127)}b`, `*${'a'.repeat(127)}b`, `${'*?'.repeat(127)}b`]) {
      assert(!steps(pattern).includes(true));
    }
    assert(!matchesPattern('a'.repeat(100_000), '*'), 'no file system has such a name');
  });

  it('is refused with anything but `*` and `?` in the last part of the path', () => {
    for (const path of ['/in/roster.csv', '/in', 'roster-*.csv', '/in [old]/roster-??.csv', '/in/a+b (1)!.csv']) {
      assert.equal(findPathProblem(path), undefined, path);
    }
    const keys = [
      '/in/*/roster.csv',
      '/in/roster-[12].csv',
      '/in/{a,b}.csv',
      '/in/+(a|b).csv',
      '/in/\\*.csv',
      `/${'a'.repeat(256)}`,
    ];
    assert.deepEqual(
      keys.map((path) => findPathProblem(path)?.key),
      ['credentials-path-folder', ...Array(4).fill('credentials-path-pattern'), 'credentials-path-long'],
    );
  });
});
