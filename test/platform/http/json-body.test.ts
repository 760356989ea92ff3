import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useApp } from '../../support/app.ts';
import { anonymousClient } from '../../support/portal.ts';
import { usePusher } from '../../support/sync.ts';

describe('a body with a syntax error', () => {
  const app = useApp();
  const pusher = usePusher(app);

  const signIn = (body: string | Uint8Array) =>
    anonymousClient(app).post('/auth/sign-in/email', body, { 'content-type': 'application/json' });

  const table: [string, string | Uint8Array, string][] = [
    [
      'a trailing comma',
      '{\n  "email": "bär@example.com",\n  "password": "x",\n}',
      'Unexpected } at line 4, column 1 (byte 52): remove the comma before it.',
    ],
    [
      'single quotes',
      "{\n  'email': 'a@example.com'\n}",
      'Unexpected \' at line 2, column 3 (byte 4): use double quotes (") around names and texts.',
    ],
    [
      'a cut-off body',
      '{\n  "email": "a@exam',
      'The body ends at line 2, column 19 (byte 20), before its JSON is complete: send all of it, a text is not closed with a quote.',
    ],
    [
      'another encoding',
      Buffer.from('{"email":"b\xe4r@example.com"}', 'latin1'),
      'Unexpected byte 0xE4 at line 1, column 12 (byte 11): it is not UTF-8, so save and send the text as UTF-8.',
    ],
    ['no body', ' ', 'The body is empty: send one complete JSON value in UTF-8.'],
  ];
  for (const [name, body, detail] of table) {
    it(`is refused with its position and a remedy, in the portal and in a roster: ${name}`, async () => {
      for (const response of [await signIn(body), await pusher.send(body as string)]) {
        assert.deepEqual([response.status, response.body.code, response.body.detail], [400, 'malformed-body', detail]);
      }
    });
  }

  it('is located within the entries of a roster', async () => {
    const text = '{\n  "syncId": "s",\n  "employees": [\n    {"hrId": "1"},\n  ]\n}';
    const { status, body } = await pusher.send(text);
    assert.deepEqual([status, body.code], [400, 'malformed-body']);
    assert.equal(body.detail, 'Unexpected ] at line 5, column 3 (byte 57): remove the comma before it.');
  });

  it('or with a key such as __proto__ is refused', async () => {
    const { status, body } = await signIn('{"__proto__": {"email": "a@example.com"}}');
    assert.deepEqual([status, body.code], [400, 'malformed-body']);
    assert.match(body.detail, /`__proto__`.* remove them/);
  });
});
