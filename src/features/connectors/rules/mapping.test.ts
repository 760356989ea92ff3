import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeSource } from '../../roster/rules/source.ts';
import { mapRecord, type ProviderRecord, toDateText } from './map-record.ts';
import { checkMapping, listAttributes, type Mapping } from './mapping.ts';

const defaults: Mapping = {
  fields: {
    hrId: 'id',
    firstName: 'first',
    lastName: 'last',
    email: 'mail',
    dateOfBirth: null,
    startDate: 'hired',
    terminationDate: 'left',
    profileImage: null,
  },
  include: [{ attribute: 'status', is: 'none-of', values: ['inactive'] }],
  autoSyncEmployee: null,
  absences: { types: 'all' },
};
const attributes = {
  id: 7,
  first: ' Ada ',
  last: 'L',
  mail: 'a@b.de',
  hired: '2020-01-01',
  left: null,
  status: 'Active',
};
const absence = { typeId: 'p', typeName: 'Elternzeit', startDate: '2026-12-01', endDate: null, approved: true };
const record: ProviderRecord = { attributes, absences: [absence] };
const zone = 'Europe/Berlin';

describe('rules that map a record of an HR system', () => {
  it('make an entry of the roster, with the reasons', () => {
    const mapped = mapRecord(
      { ...record, attributes: { ...attributes, left: '2026-12-31T00:00:00+01:00' } },
      defaults,
      zone,
    );
    assert(mapped.kind === 'entry');
    assert.deepEqual(mapped.entry, {
      hrId: '7',
      firstName: 'Ada',
      lastName: 'L',
      email: 'a@b.de',
      startDate: '2020-01-01',
      terminationDate: '2026-12-31',
      absences: [{ startDate: '2026-12-01', endDate: null, approved: true }],
    });
    assert.deepEqual(
      mapped.sources.map((source) => describeSource(source).detail),
      ['Terminated because `left` = 2026-12-31.', 'Absent because of "Elternzeit".'],
    );
  });

  it('tell an attribute that is withheld from one without a value', () => {
    const { left: _, status: __, ...rest } = attributes;
    assert.deepEqual(mapRecord({ attributes: rest }, defaults, zone), {
      kind: 'withheld',
      attributes: ['left', 'status'],
    });
    const mapped = mapRecord({ attributes: { ...attributes, mail: '' } }, defaults, zone);
    assert(mapped.kind === 'entry');
    assert.equal('email' in mapped.entry, false, 'a required field is left out, so that the check reports it');
    assert.equal(mapped.entry.terminationDate, null, 'an optional one is cleared');
  });

  it('exclude those who do not fulfil every condition, and say which', () => {
    const gone = { attributes: { ...attributes, status: 'INACTIVE ' } };
    const mapped = mapRecord(gone, defaults, zone);
    assert(mapped.kind === 'excluded');
    assert.deepEqual(
      mapped.sources.map((source) => describeSource(source).detail),
      ['Not included because `status` = INACTIVE.'],
    );
    const outcomes = (['one-of', 'none-of', 'present', 'empty'] as const).map((is) => {
      const condition =
        is === 'present' || is === 'empty' ? { attribute: 'left', is } : { attribute: 'left', is, values: ['x'] };
      return mapRecord(record, { ...defaults, include: [condition] }, zone).kind;
    });
    assert.deepEqual(outcomes, ['excluded', 'entry', 'excluded', 'entry']);
  });

  it('decide about autoSyncEmployee by values, and count chosen absences only', () => {
    const autoSyncEmployee = { attribute: 'wish', yes: ['Ja', '1'], no: ['Nein'] };
    const decide = (wish: string | number | boolean | null) => {
      const mapping = { ...defaults, autoSyncEmployee, absences: { types: ['other'] } };
      const mapped = mapRecord({ ...record, attributes: { ...attributes, wish } }, mapping, zone);
      return mapped.kind === 'entry' ? [mapped.entry.autoSyncEmployee, mapped.entry.absences] : mapped.kind;
    };
    assert.deepEqual(decide('ja'), [true, []]);
    assert.deepEqual(decide(1), [true, []]);
    assert.deepEqual(decide('NEIN'), [false, []]);
    assert.deepEqual(decide('later'), [null, []]);
    assert.deepEqual(decide(null), [null, []]);
  });

  it('read dates with and without times', () => {
    const texts = [
      '2026-03-01',
      '2026-03-01T00:00:00+01:00',
      '2026-02-28T23:00:00Z',
      '2026-03-01T00:00:00Z',
      '2026-03-01 00:00',
    ];
    assert.deepEqual(new Set(texts.map((text) => toDateText(text, zone))), new Set(['2026-03-01']));
    assert.equal(toDateText('1.3.2026', zone), '1.3.2026', 'the check of entries refuses it');
  });
});

describe('the check of a mapping', () => {
  it('fills in what is left out', () => {
    assert.deepEqual(checkMapping({}, defaults), defaults);
    const mapping = checkMapping({ fields: { hrId: 'number' }, absences: null }, defaults);
    assert(!Array.isArray(mapping));
    assert.deepEqual([mapping.fields.hrId, mapping.fields.email, mapping.absences], ['number', 'mail', null]);
    assert.deepEqual(listAttributes(mapping), ['number', 'first', 'last', 'mail', 'hired', 'left', 'status']);
  });

  it('lists everything that is wrong, each with its place', () => {
    const wrong = {
      fields: { hrId: '', emial: 'x' },
      include: [{ attribute: 'a', is: 'one-of', values: [] }, { attribute: 'a', is: 'present', values: ['x'] }, 7],
      autoSyncEmployee: { attribute: 'a', yes: ['Ja'], no: ['ja'] },
      absences: { types: 'some' },
      other: 1,
    };
    const problems = checkMapping(wrong, defaults);
    assert(Array.isArray(problems));
    assert.deepEqual(
      problems.map(({ path }) => path),
      [
        'other',
        'fields.emial',
        'fields.hrId',
        'include.0.values',
        'include.1.values',
        'include.2',
        'autoSyncEmployee.no',
        'absences.types',
      ],
    );
    assert(Array.isArray(checkMapping(null, defaults)));
  });
});
