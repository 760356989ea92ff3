import { join } from 'node:path';
import { type ComponentType, createElement, type ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { createServer } from 'vite';

const root = join(import.meta.dirname, '../../portal');

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", nbsp: ' ' };
const readText = (html: string) =>
  html
    .replaceAll(/<style[^>]*>.*?<\/style>|<!--.*?-->/gs, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/&(#?\w+);/g, (all, name: string) => entities[name] ?? all)
    .split('\n')
    .filter((line) => line.trim() !== '');

type Language = 'de' | 'en';
type Wrapper = ComponentType<{ children: ReactNode } & Record<string, unknown>>;

/** Compiles components of the portal for this process, and renders them as the portal does. */
export async function openPortal() {
  const server = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const load = (path: string): Promise<Record<string, Wrapper>> =>
    server.ssrLoadModule(`/src/${path}`) as Promise<Record<string, Wrapper>>;
  const { LanguageProvider } = await load('app/i18n/language.tsx');
  // Packages of the portal, not of the service.
  const [mantine, queries, router] = await Promise.all(
    ['@mantine/core', '@tanstack/react-query', 'react-router'].map((name) => import(name)),
  );

  return {
    close: () => server.close(),
    /** Returns the texts that a component shows. */
    async render<Props extends object>(
      [path, name]: readonly [path: string, name: string],
      props: Props,
      language: Language,
    ): Promise<string[]> {
      const Component = (await load(path))[name] as ComponentType<Props> | undefined;
      if (Component === undefined || LanguageProvider === undefined) throw new Error(`${path} has no ${name}.`);
      // All that the provider of the language reads of a browser.
      Object.assign(globalThis, { document: { documentElement: { lang: language } } });
      try {
        const inner = createElement(router.MemoryRouter, null, createElement(Component, props));
        const client = new queries.QueryClient({ defaultOptions: { queries: { enabled: false } } });
        const page = createElement(
          queries.QueryClientProvider,
          { client },
          createElement(LanguageProvider, null, inner),
        );
        const { prelude } = await prerender(createElement(mantine.MantineProvider, null, page));
        return readText(await new Response(prelude as ReadableStream).text());
      } finally {
        Reflect.deleteProperty(globalThis, 'document');
      }
    },
  };
}
