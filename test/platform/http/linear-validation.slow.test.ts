import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FastifyError } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { checkEntry } from '../../../src/features/roster/rules/entry.ts';
import { createQueryReader } from '../../../src/platform/http/parameters.ts';
import { toApiError } from '../../../src/platform/http/problem.ts';
import { compileValidator, formats } from '../../../src/platform/http/validator.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { assertLinear, hostileTexts } from '../../support/linear.ts';
import { anonymousClient, portalRequest } from '../../support/portal.ts';

/**
 * The time to check a request must be proportional to its length. These tests cover all routes: every schema that
 * checks a request gets hostile input of the largest accepted size.
 */

interface Described {
  name: string;
  schema: TSchema;
}

/** Returns the values of a keyword anywhere in a schema. */
function valuesOf(keyword: string, schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === keyword && typeof value === 'string' ? [value] : valuesOf(keyword, value),
  );
}

describe('request validation', () => {
  let app: TestApp;
  let pages: string;
  const schemasOf = (part: 'body' | 'querystring' | 'params'): Described[] =>
    app.routes.flatMap(({ method, url, schema }) => {
      const found = schema?.[part] as TSchema | undefined;
      return found ? [{ name: `${method} ${url}`, schema: found }] : [];
    });

  before(async () => {
    pages = await mkdtemp(join(tmpdir(), 'transit-pages-'));
    await mkdir(join(pages, 'assets'));
    await writeFile(join(pages, 'index.html'), 'A page.');
    app = await startTestApp({ pages: { portal: pages, my: pages } });
  });
  after(async () => {
    await app.close();
    await rm(pages, { recursive: true });
  });

  it('checks every pattern and format in time proportional to the text', async () => {
    const all = (['body', 'querystring', 'params'] as const).flatMap((part) => schemasOf(part));
    assert(all.length > 40, 'the schemas were found');
    const patterns = new Set(all.flatMap(({ schema }) => valuesOf('pattern', schema)));
    const named = new Set(all.flatMap(({ schema }) => valuesOf('format', schema)));
    assert(patterns.has('^[^\\u0000]*$') && named.has('single-line-text'), 'those of parameters and bodies are found');
    for (const name of named) assert(name in formats, `${name} has no check`);
    for (const text of hostileTexts) {
      for (const pattern of patterns) {
        const expression = new RegExp(pattern, 'u');
        await assertLinear(`${pattern} on ${text.name}`, (size) => {
          const input = text.make(size);
          return () => expression.test(input);
        });
      }
      for (const [name, check] of Object.entries(formats)) {
        await assertLinear(`${name} on ${text.name}`, (size) => {
          const input = text.make(size);
          return () => check(input);
        });
      }
    }
  });

  const hostileBodies: [string, (property: string, size: number) => string][] = [
    ['a long text', (property, size) => JSON.stringify({ [property]: ' '.repeat(size - 8 - property.length) })],
    ['many different texts', (property, size) => many(property, size, (index) => JSON.stringify(index.toString(36)))],
    ['one text many times', (property, size) => many(property, size, () => '"admin"')],
    ['many empty objects', (property, size) => many(property, size, () => '{}')],
    ['a deep list', (property, size) => `{"${property}":${'['.repeat(size / 2 - 8)}${']'.repeat(size / 2 - 8)}}`],
    ['unknown properties', (_property, size) => `{${fill(size, (index) => `"${index.toString(36)}":0`)}}`],
  ];
  const fill = (size: number, one: (index: number) => string) => {
    const parts: string[] = [];
    for (let length = 2; length < size; length += (parts.at(-1)?.length ?? 0) + 1) parts.push(one(parts.length));
    return parts.join(',');
  };
  const many = (property: string, size: number, one: (index: number) => string) =>
    `{"${property}":[${fill(size - property.length - 6, one)}]}`;

  it('handles every body in time proportional to its length, including the response', async () => {
    const bodies = schemasOf('body');
    assert(bodies.length > 10, 'the bodies were found');
    for (const { name, schema } of bodies) {
      const validate = compileValidator({ schema });
      for (const property of Object.keys((schema as TObject).properties)) {
        for (const [kind, make] of hostileBodies) {
          await assertLinear(`${name} with ${kind} as ${property}`, (size) => {
            const text = make(property, size);
            return () => {
              assert(!validate(JSON.parse(text)), `${name} accepts ${kind} as ${property}`);
              const refused = { validation: validate.errors, validationContext: 'body' } as unknown as FastifyError;
              const { extra } = toApiError(refused);
              assert((extra.errors?.length ?? 0) <= 100);
            };
          });
        }
      }
    }
  });

  it('reads every query in time proportional to its length', async () => {
    const queries: [string, (size: number) => string][] = [
      ['many unknown names', (size) => fill(size, (index) => `${index.toString(36)}x=1`).replaceAll(',', '&')],
      ['one array in many spellings', (size) => fill(size, (index) => `ids[${index}]=1`).replaceAll(',', '&')],
      ['one parameter many times', (size) => fill(size, () => 'page=1').replaceAll(',', '&')],
      ['a long name', (size) => 'a'.repeat(size)],
      ['brackets', (size) => '['.repeat(size)],
    ];
    for (const { name, schema } of schemasOf('querystring')) {
      const read = createQueryReader(schema as TObject);
      for (const [kind, make] of queries) {
        await assertLinear(`${name} with ${kind}`, (size) => {
          const text = make(size);
          return () => read(text);
        });
      }
    }
  });

  it('checks the fields of a roster in time proportional to their length', async () => {
    const fields = ['hrId', 'firstName', 'email', 'profileImage', 'startDate', 'absences', 'unknown'];
    for (const field of fields) {
      for (const text of hostileTexts) {
        await assertLinear(`${field} with ${text.name}`, (size) => {
          const entry = { [field]: text.make(size) };
          return () => checkEntry(entry, 0, '2026-11-15');
        });
      }
    }
    for (const text of hostileTexts) {
      await assertLinear(`a name that is ${text.name}`, (size) => {
        const entry = { [text.make(size)]: 1, absences: [{ [text.make(size)]: 1 }] };
        return () => checkEntry(entry, 0, '2026-11-15');
      });
    }
  });

  it('routes a page URL in time proportional to its length', async () => {
    const origin = new URL(app.url).origin;
    await assertLinear('dots', (size) => {
      const path = `/${'.'.repeat(size - 2048)}/`;
      return async () => {
        const response = await fetch(`${origin}${path}`, { headers: { accept: 'text/html' } });
        assert.equal(await response.text(), 'A page.');
      };
    });
  });

  it('does not check the format of a text that is too long', async () => {
    const { status, body } = await anonymousClient(app).post('/invitations/x', { name: `${'a'.repeat(150)}\u0000` });
    assert.equal(status, 400);
    assert.deepEqual(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
      ['/password required', '/name maxLength'],
    );
  });

  it('accepts a sign-in body of 16 KiB, and lists at most 100 errors', async () => {
    const unknown = Array.from({ length: 1000 }, (_, index) => [`params${index}`, 0]);
    const { status, body } = await anonymousClient(app).post('/auth/sign-in/email', Object.fromEntries(unknown));
    assert.equal(status, 400);
    assert.equal(body.errors.length, 100);
    assert.match(body.detail, /and 999 more/);
    for (const path of ['/auth/sign-in/email', '/invitations/x']) {
      const large = { name: 'a'.repeat(16 * 1024) };
      assert.equal((await anonymousClient(app).post(path, large)).body.code, 'body-too-large');
    }
    const chunked = await portalRequest(app, '/auth/sign-in/email', {
      method: 'POST',
      headers: { origin: new URL(app.config.publicUrl).origin },
      body: { email: 'a'.repeat(90_000) },
    });
    assert.equal(chunked.status, 413);
  });
});
