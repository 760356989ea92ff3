import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Identity, isOtherEmployee } from './same-employee.ts';

const anna = { firstName: 'Anna', lastName: 'Müller', emailKey: 'anna@x.example', dateOfBirth: '1980-05-05' };
const ben = { firstName: 'Ben', lastName: 'Schmidt', emailKey: 'ben@x.example', dateOfBirth: '1991-01-31' };

const judge = (known: Identity, entry: Identity, isGone = false) => isOtherEmployee({ ...known, isGone }, entry);

const identity = fc.record({
  firstName: fc.constantFrom('Anna', 'Ben', 'Anna-Maria'),
  lastName: fc.constantFrom('Müller', 'Mueller', 'Schmidt'),
  emailKey: fc.constantFrom('a@x.example', 'b@x.example'),
  dateOfBirth: fc.constantFrom('1980-05-05', '1991-01-31', null),
});

describe('isOtherEmployee', () => {
  it('is true if name, address and date of birth all differ', () => {
    for (const isGone of [true, false]) {
      assert(judge(anna, ben, isGone));
      assert(judge(anna, { ...ben, firstName: 'Anna' }, isGone));
    }
  });

  it('is false if only two of the three differ', () => {
    for (const isGone of [true, false]) {
      assert(!judge(anna, { ...ben, dateOfBirth: anna.dateOfBirth }, isGone));
      assert(!judge(anna, { ...ben, emailKey: anna.emailKey }, isGone));
      assert(!judge(anna, { ...ben, firstName: 'ANNA', lastName: 'Mueller' }, isGone));
      assert(!judge(anna, { ...ben, firstName: 'Müller', lastName: 'Anna Maria' }, isGone));
    }
  });

  it('is true without a date of birth only for employees who left and share no part of the name', () => {
    const unknown = { ...ben, dateOfBirth: null };
    assert(judge(anna, unknown, true));
    assert(judge({ ...anna, dateOfBirth: null }, ben, true));
    assert(!judge(anna, unknown, false));
    assert(!judge(anna, { ...unknown, firstName: 'Anna' }, true));
  });

  it('is symmetric, never true for the same identity, and independent of leaving if the dates of birth are known', () => {
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
