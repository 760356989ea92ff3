import type { Static, TObject, TSchema, TUnsafe } from 'typebox';
import type { App } from '../../platform/http/app.ts';
import { notFound } from '../../platform/http/errors.ts';
import { setVersion } from '../../platform/http/keep-pages.ts';
import { type Operation, operation } from '../../platform/http/operation.ts';
import type { Read } from '../../platform/http/reads.ts';
import { principalOf } from './guard.ts';

interface ReadOperation<Q extends TObject, P extends TObject, R extends TSchema> extends Operation<Q, P, R> {
  permissions: Operation<Q, P, R>['permissions'] & object;
  /** What there is none of if the read finds nothing. */
  missing?: string;
  read: Read<Static<Q>, Static<P>, Static<R>>;
}

/** Registers an operation that reads records of the caller's company and their version by one statement. */
export function registerRead<
  Q extends TObject = TObject<Record<never, never>>,
  P extends TObject = TObject<Record<never, never>>,
  R extends TSchema = TUnsafe<unknown>,
>(app: App, url: string, { read, missing = 'record', ...spec }: ReadOperation<Q, P, R>): void {
  const { config, schema } = operation({ ...spec, isKept: true });
  app.get(url, { config: { ...config, read: read as Read }, schema }, async function handleRead(request) {
    const { query, params } = request as unknown as { query: Static<Q>; params: Static<P> };
    const found = await read(principalOf(request), { query, params });
    if (found === undefined) throw notFound(missing);
    setVersion(request, found.version);
    return found.body as never;
  });
}
