import type { Readable } from 'node:stream';
import { Zip, ZipPassThrough } from 'fflate';
import { fileNameOf } from './download.ts';
import type { StoredDocumentRow } from './list.ts';

/** Returns the name, with a number if another file has it already. Some file systems ignore case. */
function uniqueName(name: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const unique = number === 1 ? name : name.replace(/\.pdf$/, ` (${number}).pdf`);
    const key = unique.normalize('NFC').toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return unique;
  }
}

/** A file that is in the archive besides the documents. */
interface AddedFile {
  name: string;
  bytes: Uint8Array;
  at: string;
}

/** Yields a ZIP archive of the documents. PDFs are compressed already, and one at a time is read. */
export async function* writeArchive(
  documents: AsyncIterable<StoredDocumentRow>,
  open: (document: StoredDocumentRow) => Promise<Readable>,
  added: readonly AddedFile[] = [],
): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = [];
  const taken = new Set<string>();
  const archive = new Zip((error, bytes) => {
    if (error) throw error;
    written.push(bytes);
  });
  for (const { name, bytes, at } of added) {
    const entry = new ZipPassThrough(uniqueName(name, taken));
    entry.mtime = at;
    archive.add(entry);
    entry.push(bytes, true);
    yield* written.splice(0);
  }
  for await (const document of documents) {
    const entry = new ZipPassThrough(uniqueName(fileNameOf(document), taken));
    entry.mtime = document.created_at;
    archive.add(entry);
    for await (const bytes of await open(document)) {
      entry.push(bytes);
      yield* written.splice(0);
    }
    entry.push(new Uint8Array(), true);
    yield* written.splice(0);
  }
  archive.end();
  yield* written.splice(0);
}
