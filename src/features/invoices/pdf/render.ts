import { brandName } from '../../documents/pdf/brand.ts';
import { renderPage } from '../../documents/pdf/text-block.ts';
import { type PrintedInvoice, textsOf } from '../printed.ts';
import { composePage } from './compose.ts';
import { facturXMetadata } from './metadata.ts';
import { drawInvoice } from './page.ts';

/** The name by which readers of Factur-X and ZUGFeRD find the embedded file. */
const embeddedName = 'factur-x.xml';

/** Removes what pdfkit would write into its XML metadata without escaping it. */
const plain = (text: string) => text.replaceAll(/[<>&]/g, ' ');

/** Renders an invoice as PDF/A-3b with the embedded XML. */
export function renderInvoicePdf(invoice: PrintedInvoice, cii: Buffer): Promise<Buffer> {
  const texts = textsOf(invoice);
  const madeOn = new Date(`${invoice.issuedOn}T00:00:00Z`);
  const info = {
    Title: `${texts.titles[invoice.kind]} ${invoice.number}`,
    Author: plain(invoice.seller.name),
    Subject: invoice.number,
    Creator: brandName,
    CreationDate: madeOn,
  };
  return renderPage({ subset: 'PDF/A-3b', pdfVersion: '1.7', lang: texts.language, info }, (pdf) => {
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
  });
}
