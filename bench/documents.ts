import { parseArgs } from 'node:util';
import { type DocumentKind, documentKinds } from '../src/domain/vocabulary.ts';
import type { DocumentContent } from '../src/employee-documents/pdf/content.ts';
import { letterOf } from '../src/employee-documents/pdf/letters.ts';
import { renderLetter } from '../src/employee-documents/pdf/render.ts';
import { aContent } from '../test/documents/contents.ts';
import { median, percentile } from './observe.ts';

/** `node bench/documents.ts [--documents N]`: all kinds and both languages, one after another. */
const { values } = parseArgs({ options: { documents: { type: 'string', default: '1000' } } });
const documentCount = Number(values.documents);
const warmUpCount = 200;

const firstNames = ['Anna', 'Jürgen', 'Zoë', 'Mehmet', 'Łukasz', 'Chloé', 'Søren', 'Ines', 'Ελένη', 'Юлія', 'Oğuz'];
const lastNames = ['Müller', 'Schmidt', 'Yılmaz', 'Groß', 'Nowak', 'Petersen', 'Weiß', 'Okafor', 'Шевченко'];

/** No two have the same name, address or number, as in a roster. */
function makeContent(index: number): DocumentContent {
  const company = index % 50;
  return aContent(documentKinds[index % documentKinds.length] as DocumentKind, {
    locale: index % 8 < 4 ? 'de-DE' : 'en-GB',
    companyName: `Musterwerk ${company} GmbH`,
    firstName: firstNames[index % firstNames.length] as string,
    lastName: `${lastNames[index % lastNames.length]} ${index}`,
    email: `person.${index}@musterwerk-${company}.example`,
    employeeId: 100_000 + index,
    contributionCents: 1_000 + (index % 3_000),
  });
}

for (let index = 0; index < warmUpCount; index++) await renderLetter(letterOf(makeContent(index)));
const times: number[] = [];
const sizes: number[] = [];
const cpuBefore = process.threadCpuUsage();
for (let index = 0; index < documentCount; index++) {
  const begun = performance.now();
  sizes.push((await renderLetter(letterOf(makeContent(warmUpCount + index)))).length);
  times.push(performance.now() - begun);
}
const { user, system } = process.threadCpuUsage(cpuBefore);
const total = times.reduce((sum, time) => sum + time, 0);
console.table({
  'documents a second': Math.round((documentCount / total) * 1_000),
  'documents a second of processor time': Math.round((documentCount / (user + system)) * 1_000_000),
  'median, ms': Number(median(times).toFixed(2)),
  'p99, ms': Number(percentile(times, 0.99).toFixed(2)),
  'median size, bytes': median(sizes),
  'largest, bytes': Math.max(...sizes),
});
