import PDFDocument from 'pdfkit';
import { brandName } from '../../documents/pdf/brand.ts';
import { registerTypefaces } from '../../documents/pdf/text-block.ts';
import { textsOf } from '../describe.ts';
import type { PrintedInvoice } from '../printed.ts';
import { composePage } from './compose.ts';
import { facturXMetadata } from './metadata.ts';
import { drawInvoice } from './page.ts';

/** The name by which readers of Factur-X and ZUGFeRD find the embedded file. */
const embeddedName = 'factur-x.xml';

/** Removes what pdfkit would write into its XML metadata without escaping it. */
const plain = (text: string) => text.replaceAll(/[<>&]/g, ' ');

/**
 * Renders an invoice as PDF/A-3b with the embedded XML. The same invoice always produces the same bytes: pdfkit derives
 * the file id from the information below, and reads no clock if it is given a date.
 */
export function renderInvoicePdf(invoice: PrintedInvoice, cii: Buffer): Promise<Buffer> {
  const texts = textsOf(invoice);
  const madeOn = new Date(`${invoice.issuedOn}T00:00:00Z`);
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    subset: 'PDF/A-3b',
    pdfVersion: '1.7',
    // The standard fonts are not used, and PDF/A forbids them.
    font: '',
    lang: texts.language,
    displayTitle: true,
    info: {
      Title: `${texts.titles[invoice.kind]} ${invoice.number}`,
      Author: plain(invoice.seller.name),
      Subject: invoice.number,
      Creator: brandName,
      CreationDate: madeOn,
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  pdf.on('end', () => resolve(Buffer.concat(chunks)));
  pdf.on('error', reject);
  registerTypefaces(pdf);
  drawInvoice(pdf, composePage(invoice));
  // The types of pdfkit do not know the relationship, which PDF/A-3 requires.
  const attachment: PDFKit.Mixins.PDFAttachmentOptions & { relationship: string } = {
    name: embeddedName,
    type: 'text/xml',
    description: 'Factur-X/ZUGFeRD',
    relationship: 'Alternative',
    creationDate: madeOn,
    modifiedDate: madeOn,
  };
  pdf.file(cii, attachment);
  pdf.appendXML(facturXMetadata(embeddedName));
  pdf.end();
  return promise;
}
