import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';

const base = '/my/';
const publicFolder = join(import.meta.dirname, 'public');

/**
 * Builds the service worker after the pages, because it lists their files and their version: any other content makes
 * another service worker, which browsers then install.
 */
function emitServiceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const hash = createHash('sha256');
        for (const [name, file] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1))) {
          hash.update(name).update(file.type === 'chunk' ? file.code : file.source);
        }
        const fixed = readdirSync(publicFolder).sort();
        for (const name of fixed) hash.update(name).update(readFileSync(join(publicFolder, name)));
        const assets = Object.keys(bundle).filter((name) => name !== 'index.html' && !name.endsWith('.map'));
        const built = await build({
          configFile: false,
          logLevel: 'warn',
          publicDir: false,
          define: {
            __VERSION__: JSON.stringify(hash.digest('hex').slice(0, 16)),
            __FILES__: JSON.stringify([...assets, ...fixed].map((name) => `${base}${name}`)),
          },
          build: {
            write: false,
            target: 'es2022',
            modulePreload: false,
            reportCompressedSize: false,
            rolldownOptions: {
              input: join(import.meta.dirname, 'src/service-worker.ts'),
              output: { format: 'iife', entryFileNames: 'service-worker.js' },
            },
          },
        });
        const [{ output }] = [built].flat() as [Rolldown.RolldownOutput];
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: output[0].code });
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base,
  plugins: [react(), emitServiceWorker()],
  build: {
    // Phones are older than the computers of HR departments.
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The content security policy allows files of our own host only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: { '/my/api': process.env.API ?? 'http://localhost:3000' } },
});
