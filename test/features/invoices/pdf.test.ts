import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractText, getDocumentProxy } from 'unpdf';
import renderInvoice from '../../../src/features/invoices/files.ts';
import { asCompanyId } from '../../../src/platform/db/company-scope.ts';
import { anInvoice } from '../../support/invoicing.ts';

const invoice = { ...anInvoice(asCompanyId(7)), number: 'TB-000017', preceding: [] };

test('the PDF has the markers of PDF/A-3b and of an e-invoice', async () => {
  const { pdf } = await renderInvoice(invoice);
  const bytes = Buffer.from(pdf).toString('latin1');
  for (const marker of [
    /^%PDF-1\.7/,
    /<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/,
    /<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#<\/pdfaSchema:namespaceURI>/,
    /<fx:DocumentFileName>factur-x\.xml<\/fx:DocumentFileName>/,
    /<fx:ConformanceLevel>EN 16931<\/fx:ConformanceLevel>/,
    /\/S \/GTS_PDFA1/,
    /\/OutputIntents \[/,
    /\/AFRelationship \/Alternative/,
    /\/AF \[/,
    /\/EmbeddedFiles/,
    /\/Subtype \/text#2Fxml/,
    /\/ID \[/,
  ]) {
    assert.match(bytes, marker);
  }
  assert.doesNotMatch(bytes, /\/Encrypt|\/JavaScript|\/BaseFont \/Helvetica/);
});

test('the embedded file is the XML, and the page shows the amounts', async () => {
  const { pdf, cii } = await renderInvoice(invoice);
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const attachments = await document.getAttachments();
  assert.deepEqual([...(attachments?.keys() ?? [])], ['factur-x.xml']);
  const content = await document.getAttachmentContent('factur-x.xml');
  assert.equal(Buffer.from(content ?? []).toString(), Buffer.from(cii).toString());
  const { text, totalPages } = await extractText(document, { mergePages: true });
  assert.equal(totalPages, 1);
  for (const shown of ['Rechnung TB-000017', 'Müller & Söhne GmbH', '59,85 €', '15. November 2026', 'DE123456789']) {
    assert.ok(text.replaceAll(/\s+/g, ' ').includes(shown), `${shown} in ${text}`);
  }
});

test('the same invoice always results in the same bytes', async () => {
  const [one, other] = [await renderInvoice(invoice), await renderInvoice(invoice)];
  for (const format of ['pdf', 'xrechnung', 'cii'] as const) {
    assert.ok(Buffer.from(one[format]).equals(Buffer.from(other[format])), format);
  }
});

test('an English company gets an English invoice', async () => {
  const { pdf } = await renderInvoice({ ...invoice, locale: 'en-GB' });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  assert.match(text, /Invoice TB-000017[\s\S]*Amount due/);
});
