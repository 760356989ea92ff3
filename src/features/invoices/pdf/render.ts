import { brandName } from '../../documents/pdf/brand.ts';
import { renderPage } from '../../documents/pdf/text-block.ts';
import { type PrintedInvoice, textsOf } from '../printed.ts';
import { composePage } from './compose.ts';
import { drawInvoice } from './page.ts';

const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

const properties = [
  ['DocumentFileName', 'name of the embedded XML invoice file'],
  ['DocumentType', 'INVOICE'],
  ['Version', 'version of the Factur-X XML schema'],
  ['ConformanceLevel', 'conformance level of the embedded Factur-X data'],
] as const;

/** PDF/A permits properties of other schemas only with a description of the schema. */
const schema = `
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
  xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
  <pdfaExtension:schemas>
    <rdf:Bag>
      <rdf:li rdf:parseType="Resource">
        <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
        <pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>
        <pdfaSchema:prefix>fx</pdfaSchema:prefix>
        <pdfaSchema:property>
          <rdf:Seq>${properties
            .map(
              ([name, description]) => `
            <rdf:li rdf:parseType="Resource">
              <pdfaProperty:name>${name}</pdfaProperty:name>
              <pdfaProperty:valueType>Text</pdfaProperty:valueType>
              <pdfaProperty:category>external</pdfaProperty:category>
              <pdfaProperty:description>${description}</pdfaProperty:description>
            </rdf:li>`,
            )
            .join('')}
          </rdf:Seq>
        </pdfaSchema:property>
      </rdf:li>
    </rdf:Bag>
  </pdfaExtension:schemas>
</rdf:Description>`;

/** Returns the XMP metadata that mark a PDF as an e-invoice. */
const facturXMetadata = (fileName: string) => `${schema}
<rdf:Description rdf:about="" xmlns:fx="${namespace}">
  <fx:DocumentType>INVOICE</fx:DocumentType>
  <fx:DocumentFileName>${fileName}</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version>
  <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>`;

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
  const isTest = invoice.isTest ?? false;
  return renderPage({ isTest, subset: 'PDF/A-3b', pdfVersion: '1.7', lang: texts.language, info }, (pdf) => {
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
