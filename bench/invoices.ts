import { atLeast, info, type Metric } from '../harness/metrics.ts';
import { median } from '../harness/observe.ts';
import type { Scenario } from '../harness/scenario.ts';
import { renderInvoice } from '../src/features/invoices/files.ts';
import type { PrintedInvoice } from '../src/features/invoices/printed.ts';
import { asCompanyId } from '../src/platform/db/company-scope.ts';
import { anInvoice } from '../test/support/invoicing.ts';

interface Plan {
  companies: number;
}

const warmUpCount = 100;

/** Returns the invoice of a company whose name and number no other has. */
function makeInvoice(index: number): PrintedInvoice {
  const content = anInvoice(asCompanyId(index + 1));
  return {
    ...content,
    locale: index % 2 === 0 ? 'de-DE' : 'en-GB',
    buyer: { ...content.buyer, name: `Musterwerk ${index} GmbH`, street: `Hauptstr. ${index}` },
    number: `TB-${String(index + 1).padStart(6, '0')}`,
    preceding: [],
  };
}

/** Writes PDF and both XML files on this thread. Processor time shows the rate per core, whatever else runs. */
async function run({ companies }: Plan): Promise<Metric[]> {
  for (let index = 0; index < warmUpCount; index++) await renderInvoice(makeInvoice(index));
  const sizes: number[] = [];
  const before = process.cpuUsage();
  const begun = performance.now();
  for (let index = 0; index < companies; index++) sizes.push((await renderInvoice(makeInvoice(index))).pdf.length);
  const { user, system } = process.cpuUsage(before);
  return [
    info('invoices per second', (companies / (performance.now() - begun)) * 1_000),
    atLeast('invoices per second of one core, PDF and both XML', (companies / (user + system)) * 1_000_000, 50),
    info('median size of the PDF, bytes', median(sizes)),
  ];
}

export const invoicesScenario: Scenario<Plan> = {
  name: 'invoices',
  title: 'Files of the invoices of 1,000 companies: PDF/A-3 with embedded XML, and XRechnung',
  plans: { full: { companies: 1_000 }, quick: { companies: 100 } },
  run: (plan) => run(plan),
};
