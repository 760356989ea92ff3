import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Identity, isOtherPerson } from './same-person.ts';

const anna = { firstName: 'Anna', lastName: 'Müller', emailKey: 'anna@x.example', dateOfBirth: '1980-05-05' };
const ben = { firstName: 'Ben', lastName: 'Schmidt', emailKey: 'ben@x.example', dateOfBirth: '1991-01-31' };

const judge = (known: Identity, entry: Identity, isGone = false) => isOtherPerson({ ...known, isGone }, entry);

const identity = fc.record({
  firstName: fc.constantFrom('Anna', 'Ben', 'Anna-Maria'),
  lastName: fc.constantFrom('Müller', 'Mueller', 'Schmidt'),
  emailKey: fc.constantFrom('a@x.example', 'b@x.example'),
  dateOfBirth: fc.constantFrom('1980-05-05', '1991-01-31', null),
});

describe('isOtherPerson', () => {
  it('tells somebody apart whose name, address and date of birth are others', () => {
    for (const isGone of [true, false]) {
      assert(judge(anna, ben, isGone));
      assert(judge(anna, { ...ben, firstName: 'Anna' }, isGone));
    }
  });

  it('keeps a person who changes two of the three', () => {
    for (const isGone of [true, false]) {
      assert(!judge(anna, { ...ben, dateOfBirth: anna.dateOfBirth }, isGone));
      assert(!judge(anna, { ...ben, emailKey: anna.emailKey }, isGone));
      assert(!judge(anna, { ...ben, firstName: 'ANNA', lastName: 'Mueller' }, isGone));
      assert(!judge(anna, { ...ben, firstName: 'Müller', lastName: 'Anna Maria' }, isGone));
    }
  });

  it('tells only those apart without a date of birth who have left and share no part of the name', () => {
    const unknown = { ...ben, dateOfBirth: null };
    assert(judge(anna, unknown, true));
    assert(judge({ ...anna, dateOfBirth: null }, ben, true));
    assert(!judge(anna, unknown, false));
    assert(!judge(anna, { ...unknown, firstName: 'Anna' }, true));
  });

  it('is mutual, and never tells anybody apart from themselves or for being gone with a known date of birth', () => {
    fc.assert(
      fc.property(identity, identity, fc.boolean(), (one, other, isGone) => {
        assert.equal(judge(one, other, isGone), judge(other, one, isGone));
        assert(!judge(one, one, isGone));
        if (one.dateOfBirth && other.dateOfBirth) assert.equal(judge(one, other, true), judge(one, other, false));
        if (judge(one, other, false)) assert(judge(one, other, true));
      }),
    );
  });
});
