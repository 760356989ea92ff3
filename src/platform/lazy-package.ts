import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * Returns a function that loads a package with its first call. For large packages that most processes never use, where
 * the code that needs them cannot wait for `import()`.
 */
export function lazyPackage<Package>(name: string): () => Package {
  let loaded: Package | undefined;
  return () => {
    loaded ??= load(name) as Package;
    return loaded;
  };
}
