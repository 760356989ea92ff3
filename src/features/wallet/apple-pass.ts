import { PKPass } from 'passkit-generator';
import { testMark } from '../../domain/test-mark.ts';
import type { Pass, PassField } from './present.ts';

export interface ApplePassOptions {
  passType: string;
  team: string;
  certificate: string;
  key: string;
  wwdr: string;
  /** Maps file names within the pass to bytes. */
  images: Record<string, Uint8Array>;
}

const colours = (isTest: boolean) => ({
  backgroundColor: isTest ? 'rgb(180, 35, 24)' : 'rgb(11, 114, 133)',
  foregroundColor: 'rgb(255, 255, 255)',
  labelColor: isTest ? 'rgb(254, 228, 226)' : 'rgb(197, 226, 231)',
});

const field = (key: string, { label, value }: PassField) => ({ key, label, value });

/** Returns the whole .pkpass file. It contains only the fields set here, because its holder may show it to anyone. */
export function makeApplePass(pass: Pass, options: ApplePassOptions): Buffer {
  const images = Object.entries(options.images).map(([name, bytes]) => [name, Buffer.from(bytes)]);
  const file = new PKPass(
    Object.fromEntries(images),
    { signerCert: options.certificate, signerKey: options.key, wwdr: options.wwdr },
    {
      passTypeIdentifier: options.passType,
      teamIdentifier: options.team,
      serialNumber: pass.ticketId,
      organizationName: pass.employer.value,
      description: `${pass.isTest ? 'TEST · ' : ''}${pass.product}, ${pass.monthName}`,
      logoText: pass.isTest ? `TEST · ${pass.product}` : pass.product,
      // The ticket is personal.
      sharingProhibited: true,
      ...colours(pass.isTest),
    },
  );
  file.type = 'generic';
  file.headerFields.push(field('month', pass.month));
  if (pass.isTest) file.backFields.push({ key: 'test', label: 'TEST', value: testMark });
  else if (pass.note !== null) file.backFields.push({ key: 'note', label: pass.product, value: pass.note });
  file.primaryFields.push(field('holder', pass.holder));
  file.secondaryFields.push(field('validity', pass.validity));
  file.auxiliaryFields.push(field('employer', pass.employer), field('ticket', pass.ticket));
  if (pass.format !== 'none') {
    file.setBarcodes({
      ...(pass.format === 'qr'
        ? ({ format: 'PKBarcodeFormatQR', messageEncoding: 'utf-8' } as const)
        : ({ format: 'PKBarcodeFormatAztec', messageEncoding: 'iso-8859-1' } as const)),
      message: pass.code,
      altText: pass.ticket.value,
    });
  }
  file.setExpirationDate(new Date(pass.endsAt));
  return file.getAsBuffer();
}
