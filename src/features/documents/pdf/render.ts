import PDFDocument from 'pdfkit';
import { brandName } from './brand.ts';
import type { DocumentLayout } from './compose.ts';
import { drawDocument } from './page.ts';
import { registerTypefaces } from './text-block.ts';

/**
 * Renders a document. The same document always produces the same bytes: pdfkit derives the file id from the information
 * below, and reads no clock if it is given a date.
 */
export function renderDocument(document: DocumentLayout): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    // The standard fonts are not used. Without this setting pdfkit would load Helvetica for every document.
    font: '',
    lang: document.language,
    displayTitle: true,
    info: {
      Title: document.title,
      Author: document.sender,
      Subject: document.number,
      Creator: brandName,
      CreationDate: new Date(`${document.madeOn}T00:00:00Z`),
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  pdf.on('end', () => resolve(Buffer.concat(chunks)));
  pdf.on('error', reject);
  registerTypefaces(pdf);
  drawDocument(pdf, document);
  pdf.end();
  return promise;
}
