import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postcss from 'postcss';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const folder = join(import.meta.dirname, 'fonts');
const lettersBetween = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('');

/** What `global.css` announces of each file: the letters of English and German, and those of other European names. */
const letters = {
  latin: `${lettersBetween(0x20, 0x7e)}${lettersBetween(0xa0, 0xff)}ıŒœˆ˚˜ẞ${lettersBetween(0x2000, 0x206f)}€™←↑→↓−`,
  'latin-ext': `${lettersBetween(0x100, 0x17f)}ȘșȚț`,
};

/** The portal uses these weights, and figures of one width in tables. Kerning would be a fifth of each file. */
const options = {
  targetFormat: 'woff2' as const,
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ['ccmp', 'locl', 'tnum'],
};

/** Writes the font's files with the letters and weights that the portal shows: 26 KB instead of 133. */
export async function writeFonts(): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(letters)) {
    const file = import.meta.resolve(`@fontsource-variable/inter/files/inter-${name}-wght-normal.woff2`);
    const font = await subsetFont(await readFile(fileURLToPath(file)), text, options);
    // Another build may read the file at this moment.
    const temporary = join(folder, `${name}.${process.pid}`);
    await writeFile(temporary, font);
    await rename(temporary, join(folder, `inter-${name}.woff2`));
  }
}

/** Names of classes of the component library: a hash, which its scripts and its styles have in common. */
const libraryClass = /\bm_[0-9a-f]{6,8}\b/g;

/** Where the names of the classes are of components that only some pages use. */
const rare =
  /@mantine\/core\/esm\/components\/.*\/(Accordion|Radio|RadioCard|RadioIndicator|SegmentedControl|Switch|Timeline)\.module\.mjs$/;

/** Loads the styles of rare components with their scripts. */
export function bringRareStyles(): Plugin {
  return {
    name: 'bring-rare-styles',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      const [, name] = rare.exec(id) ?? [];
      return name === undefined ? null : `import '@mantine/core/styles/${name}.css';\n${code}`;
    },
  };
}

const classesOf = (css: string): string[] => css.match(libraryClass) ?? [];

/**
 * Removes the styles of components that no script contains, which are half of the library's, and from the sheet that every
 * page loads those of rare components.
 */
export function removeUnusedStyles(): Plugin {
  return {
    name: 'remove-unused-styles',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const scripts = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
        const used = new Set(scripts.flatMap(classesOf));
        if (used.size === 0) throw new Error('No script contains a class of the component library. Has it new names?');
        const sheets = files.flatMap((file) =>
          file.type === 'asset' && file.fileName.endsWith('.css') ? [{ file, css: String(file.source) }] : [],
        );
        const isCommon = (name: string) => /(^|\/)index-/.test(name);
        const elsewhere = new Set(sheets.flatMap(({ file, css }) => (isCommon(file.fileName) ? [] : classesOf(css))));
        for (const { file, css } of sheets) {
          const isNeeded = (name: string) => used.has(name) && !(isCommon(file.fileName) && elsewhere.has(name));
          // No language of the portal is written from right to left.
          const isUsed = (selector: string) => !/\[dir="?rtl"?\]/.test(selector) && classesOf(selector).every(isNeeded);
          const sheet = postcss.parse(css);
          sheet.walkRules((rule) => {
            const selectors = rule.selectors.filter(isUsed);
            if (selectors.length === 0) rule.remove();
            else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
          });
          sheet.walkAtRules(/^(media|supports|layer)$/, (rule) => {
            if (rule.nodes?.length === 0) rule.remove();
          });
          file.source = sheet.toString();
        }
      },
    },
  };
}
