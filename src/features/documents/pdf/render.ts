import { brandName } from './brand.ts';
import type { DocumentLayout } from './compose.ts';
import { drawDocument } from './page.ts';
import { renderPage } from './text-block.ts';

/** Renders a document. */
export function renderDocument(document: DocumentLayout): Promise<Buffer> {
  const info = {
    Title: document.title,
    Author: document.sender,
    Subject: document.number,
    Creator: brandName,
    CreationDate: new Date(`${document.madeOn}T00:00:00Z`),
  };
  return renderPage({ lang: document.language, info }, (pdf) => drawDocument(pdf, document));
}
