import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describePath } from './describe-path.ts';

describe('The path in the request log', () => {
  const known = new Set(['search', 'emails', 'page', 'perPage']);
  const route = '/v1/hr-integrations/:id/syncs/:syncId';
  const employee = '/v1/employees/:id';
  const describe = (url: string, status = 200, pattern = '/v1/employees') =>
    describePath({ route: pattern, url, status }, known);

  it('has names of parameters and no values but those of pages', () => {
    assert.equal(describe('/v1/employees'), '/v1/employees');
    assert.equal(describe('/v1/employees?'), '/v1/employees');
    assert.equal(
      describe('/v1/employees?search=anna+vogel&page=2&perPage=50'),
      '/v1/employees?search=…&page=2&perPage=50',
    );
    assert.equal(describe('/v1/employees?emails=a@x.de&emails=b@x.de'), '/v1/employees?emails=…');
  });

  it('has no text that a client made up', () => {
    assert.equal(describe('/v1/employees?anna@example.com&page=anna&=x', 400), '/v1/employees?…&page=…');
    assert.equal(describe('/v1/employees/anna@example.com', 400, employee), '/v1/employees/:id');
    assert.equal(describe('/v1/hr-integrations/7/syncs/anna', 404, route), '/v1/hr-integrations/7/syncs/:syncId');
  });

  it('has ids that are plain or belong to a record', () => {
    assert.equal(describe('/v1/employees/12?x=1', 404, employee), '/v1/employees/12?…');
    assert.equal(
      describe('/v1/hr-integrations/7/syncs/nightly-3', 200, route),
      '/v1/hr-integrations/7/syncs/nightly-3',
    );
  });
});
