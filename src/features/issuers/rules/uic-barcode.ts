import { inflateSync } from 'node:zlib';
import type { Day } from '../../../domain/calendar.ts';
import { openTicketIndex, passIndex, type UicVersion, uicTypes, uicVersions } from './uic-types.ts';
import { PackedDataError, readPacked, type Value } from './uper.ts';

/** What a barcode by UIC leaflet 918.3 says about a ticket. Null: it does not say. */
export interface UicTicket {
  /** The RICS code of the company that has signed it. */
  signedBy: string;
  traveller: { firstName: string; lastName: string; dateOfBirth: Day | null } | null;
  validFrom: Day | null;
  validUntil: Day | null;
  /** A specimen is not valid for travel. */
  isSpecimen: boolean;
}

export class UnreadableBarcodeError extends Error {}

/** By the version of the barcode: the bytes of its signature, which only inspectors verify. */
const signatureBytes: Readonly<Record<string, number>> = { '01': 50, '02': 64 };
const headBytes = 14;
/** A barcode has 2 KB at most. Compressed, that could be anything. */
const maxContentBytes = 16 * 1024;
const maxRecords = 20;

const asciiOf = (bytes: Uint8Array, from: number, length: number) =>
  Buffer.from(bytes.subarray(from, from + length)).toString('latin1');

function readNumber(bytes: Uint8Array, from: number, length: number): number {
  const text = asciiOf(bytes, from, length);
  if (!/^\d+$/.test(text) || text.length !== length) throw new UnreadableBarcodeError('its length is damaged');
  return Number(text);
}

function inflate(bytes: Uint8Array): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: maxContentBytes });
  } catch {
    throw new UnreadableBarcodeError('its content is damaged');
  }
}

/** Yields the records: id, version and content. */
function* listRecords(content: Uint8Array) {
  let at = 0;
  for (let count = 0; at + 12 <= content.length && count < maxRecords; count++) {
    const length = readNumber(content, at + 8, 4);
    if (length < 12 || at + length > content.length) throw new UnreadableBarcodeError('a record is damaged');
    yield {
      id: asciiOf(content, at, 6),
      version: asciiOf(content, at + 6, 2),
      data: content.subarray(at + 12, at + length),
    };
    at += length;
  }
}

/** Returns a day by its number within a year. */
const dayOfYear = (year: number, day: number): Day => new Temporal.PlainDate(year, 1, 1).add({ days: day - 1 });

function readBirth({ yearOfBirth: year, ...born }: Value): Day | null {
  if (year === undefined) return null;
  if (born.dayOfBirth !== undefined) return dayOfYear(year, born.dayOfBirth);
  const { monthOfBirth: month, dayOfBirthInMonth: day } = born;
  return month === undefined || day === undefined ? null : Temporal.PlainDate.from({ year, month, day });
}

function readTraveller(travellers: Value[] | undefined): UicTicket['traveller'] {
  if (travellers?.length !== 1) return null;
  const [one] = travellers;
  const { firstName = '', lastName = '' } = one;
  return firstName + lastName === '' ? null : { firstName, lastName, dateOfBirth: readBirth(one) };
}

function readFlexible(data: Uint8Array, version: UicVersion): Omit<UicTicket, 'signedBy'> {
  const { issuingDetail, travelerDetail, transportDocument } = readPacked(data, uicTypes[version]);
  const issuedOn = dayOfYear(issuingDetail.issuingYear, issuingDetail.issuingDay);
  const ticket = transportDocument?.[0]?.ticket;
  const hasValidity = ticket?.index === openTicketIndex || ticket?.index === passIndex;
  const validFrom = hasValidity ? issuedOn.add({ days: ticket.value.validFromDay }) : null;
  return {
    traveller: readTraveller(travelerDetail?.traveler),
    validFrom,
    validUntil: validFrom?.add({ days: ticket.value.validUntilDay }) ?? null,
    isSpecimen: issuingDetail.specimen,
  };
}

const isKnownVersion = (version: string): version is UicVersion => uicVersions.some((known) => known === version);

/** Returns the content of a barcode by UIC 918.3 with a record U_FLEX. Throws if it cannot be read. */
export function readUicBarcode(bytes: Uint8Array): UicTicket {
  if (asciiOf(bytes, 0, 3) !== '#UT') throw new UnreadableBarcodeError('it is no barcode by UIC 918.3');
  const signature = signatureBytes[asciiOf(bytes, 3, 2)];
  if (signature === undefined) throw new UnreadableBarcodeError('its version is unknown');
  const start = headBytes + signature;
  const length = readNumber(bytes, start, 4);
  const content = inflate(bytes.subarray(start + 4, start + 4 + length));
  for (const { id, version, data } of listRecords(content)) {
    if (id !== 'U_FLEX') continue;
    if (!isKnownVersion(version)) throw new UnreadableBarcodeError(`version ${version} of U_FLEX is not read`);
    try {
      return { signedBy: asciiOf(bytes, 5, 4), ...readFlexible(data, version) };
    } catch (error) {
      if (error instanceof PackedDataError || error instanceof RangeError)
        throw new UnreadableBarcodeError((error as Error).message);
      throw error;
    }
  }
  throw new UnreadableBarcodeError('it has no record U_FLEX');
}
