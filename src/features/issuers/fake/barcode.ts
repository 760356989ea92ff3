import { deflateSync } from 'node:zlib';
import { openTicketIndex, type UicVersion, uicTypes } from '../rules/uic-types.ts';
import { writePacked } from './packed.ts';

export interface BarcodeContent {
  firstName: string;
  lastName: string;
  dateOfBirth: string | null;
  validFrom: string;
  validUntil: string;
  number: string;
}

/** Returns a barcode by UIC 918.3 with U_HEAD and U_FLEX, with a signature of zeros. */
export function makeUicBarcode(content: BarcodeContent, version: UicVersion = '03'): Buffer {
  const issued = Temporal.PlainDate.from(content.validFrom).subtract({ days: 10 });
  const from = Temporal.PlainDate.from(content.validFrom);
  const born = content.dateOfBirth === null ? null : Temporal.PlainDate.from(content.dateOfBirth);
  const birth =
    born === null
      ? {}
      : version === '13'
        ? { yearOfBirth: born.year, dayOfBirth: born.dayOfYear }
        : { yearOfBirth: born.year, monthOfBirth: born.month, dayOfBirthInMonth: born.day };
  const flex = writePacked(uicTypes[version], {
    issuingDetail: {
      ...{ issuingYear: issued.year, issuingDay: issued.dayOfYear, issuingTime: 600, securityProviderNum: 1080 },
      ...{ specimen: true, securePaperTicket: false, activated: true, issuerPNR: content.number },
    },
    travelerDetail: {
      traveler: [{ firstName: content.firstName, lastName: content.lastName, ticketHolder: true, ...birth }],
    },
    transportDocument: [
      {
        ticket: {
          index: openTicketIndex,
          value: {
            referenceIA5: content.number,
            returnIncluded: false,
            validRegionDesc: 'Deutschland',
            validRegion: [{ index: 2, value: { nutsCode: 'DE' } }],
            validFromDay: issued.until(from).days,
            validUntilDay: from.until(content.validUntil).days,
          },
        },
      },
    ],
  });
  const record = (id: string, recordVersion: string, data: Uint8Array) =>
    Buffer.concat([Buffer.from(`${id}${recordVersion}${String(data.length + 12).padStart(4, '0')}`), data]);
  const head = Buffer.from(`1080${content.number.slice(0, 20).padEnd(20)}${'010120261200'}${'0'}${'DE'}${'EN'}`);
  const body = deflateSync(Buffer.concat([record('U_HEAD', '01', head), record('U_FLEX', version, flex)]));
  const length = String(body.length).padStart(4, '0');
  return Buffer.concat([Buffer.from('#UT0210800TEST'), Buffer.alloc(64), Buffer.from(length), body]);
}
