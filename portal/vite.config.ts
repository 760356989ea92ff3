import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { hashSources } from '../src/portal/build.ts';
import { bringRareStyles, removeUnusedStyles, writeFonts } from './lighten.ts';

const firstPaint = '/src/app/first-paint.js';

/**
 * Emits the first-paint script as a classic script with a hashed name. A module would run after the first paint, and
 * the content security policy allows no inline script.
 */
function emitFirstPaint(): Plugin {
  let reference = '';
  return {
    name: 'first-paint',
    apply: 'build',
    buildStart() {
      const source = readFileSync(join(import.meta.dirname, firstPaint));
      reference = this.emitFile({ type: 'asset', name: 'first-paint.js', source });
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('There is no index.html to put the first script into.');
        page.source = String(page.source).replace(firstPaint, `/${this.getFileName(reference)}`);
      },
    },
  };
}

/** Leaves out the sentences that only employees read, on their own page. */
function omitOwnMessages(): Plugin {
  return {
    name: 'omit-own-messages',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (/domain\/messages\/my\.(de|en)\.ts$/.test(id) ? 'export const own = {};' : null),
  };
}

await writeFonts();

/** Part of the names of styles: what is removed from them depends on the scripts, which their own hash does not know. */
const sources = (await hashSources('portal')).slice(0, 8);

/** What choices, filters and lists need, and pages of one record do not. */
const lists =
  /core\/esm\/components\/(Checkbox|Combobox|MultiSelect|Pagination|Pill|ScrollArea|Select)|portal\/src\/ui\/(fields|table)/;

/** What the pages about integrations share. */
const integrations = /portal\/src\/(features\/connectors\/(api|CreateIntegration|texts)|ui\/(health|pull))/;

/** What lists of employees share. */
const selection = /portal\/src\/features\/contracts\/(api|ContractBar|selection|texts)/;

/** What only dialogs need. */
const dialogs = /core\/esm\/components\/(File|Radio)|portal\/src\/ui\/(consent|PdfInput)/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [omitOwnMessages(), bringRareStyles(), react(), emitFirstPaint(), removeUnusedStyles()],
  build: {
    target: 'es2024',
    modulePreload: { polyfill: false },
    // The content security policy allows fonts and scripts of our own host only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The largest chunk is the component library, which every page needs.
    chunkSizeWarningLimit: 800,
    // Few chunks: what every page needs, what pages inside the shell need, and what many pages share. Dozens of small
    // ones would compress worse, and each has its own head.
    rolldownOptions: {
      output: {
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.css'))
            ? `assets/[name]-[hash]-${sources}[extname]`
            : 'assets/[name]-[hash][extname]',
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'], priority: 5 },
            { name: 'frame', test: /app\/(PortalApp|shell\/Shell)\.tsx/, priority: 4 },
            { name: 'common', test: (id) => !lists.test(id) && !dialogs.test(id), minShareCount: 5, priority: 3 },
            { name: 'lists', test: lists, priority: 2 },
            { name: 'integrations', test: integrations, minShareCount: 2, priority: 1 },
            { name: 'selection', test: selection, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/portal/api', '/v1', '/docs'].map((path) => [path, process.env.API ?? 'http://localhost:3000']),
    ),
  },
});
