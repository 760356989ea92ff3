import type { Field, Type } from './uper.ts';

/**
 * The types of UIC leaflet 918.9 (Flexible Content Barcode) up to the validity of the first document. Nothing after it is
 * read, so nothing after it is described. Versions 1.3 (`13`) and 3 (`03`) differ in a few ranges.
 */

const integer: Type = { kind: 'integer' };
const boolean: Type = { kind: 'boolean' };
const ia5: Type = { kind: 'ia5' };
const utf8: Type = { kind: 'utf8' };
const octets: Type = { kind: 'octets' };
const range = (from: number, to: number): Type => ({ kind: 'range', from, to });
const list = (of: Type): Type => ({ kind: 'list', of });
const enumeration = (values: number, isExtensible: boolean): Type => ({ kind: 'enum', values, isExtensible });
const sized = (from: number, to: number): Type => ({ kind: 'ia5', size: [from, to] });

const must = (name: string, type: Type): Field => ({ name, type, isOptional: false });
const may = (name: string, type: Type): Field => ({ name, type, isOptional: true });
const or = (name: string, type: Type, fallback: number | string): Field => ({ name, type, isOptional: true, fallback });

const sequence = (...fields: Field[]): Type => ({ kind: 'sequence', fields, isExtensible: false });
const extensible = (...fields: Field[]): Type => ({ kind: 'sequence', fields, isExtensible: true });

const rics = range(1, 32_000);
const station = range(1, 9_999_999);
const country = range(1, 999);
const offset = range(-60, 60);
const codeTable = enumeration(5, false);
const geoUnit = enumeration(5, false);
const extension = sequence(must('extensionId', ia5), must('extensionData', octets));
const coordinate = sequence(
  or('geoUnit', geoUnit, 1),
  or('coordinateSystem', enumeration(2, false), 0),
  or('hemisphereLongitude', enumeration(2, false), 0),
  or('hemisphereLatitude', enumeration(2, false), 0),
  must('longitude', integer),
  must('latitude', integer),
  may('accuracy', geoUnit),
);

/** Fields after the validity: they end the reading. */
const unread: Type = { kind: 'end' };
export const openTicketIndex = 2;
export const passIndex = 3;

export const uicVersions = ['13', '03'] as const;
export type UicVersion = (typeof uicVersions)[number];

function describe(version: UicVersion): Type {
  const isFirst = version === '13';
  const minute = range(0, isFirst ? 1440 : 1439);
  const untilDay = isFirst ? range(0, 370) : range(-1, 500);
  const fromDay = isFirst ? range(-1, 700) : range(-367, 700);
  const product = range(0, isFirst ? 32_000 : 65_535);

  const issuing = extensible(
    may('securityProviderNum', rics),
    may('securityProviderIA5', ia5),
    may('issuerNum', rics),
    may('issuerIA5', ia5),
    must('issuingYear', range(2016, 2269)),
    must('issuingDay', range(1, 366)),
    (isFirst ? may : must)('issuingTime', minute),
    may('issuerName', utf8),
    must('specimen', boolean),
    must('securePaperTicket', boolean),
    must('activated', boolean),
    or('currency', sized(3, 3), 'EUR'),
    or('currencyFract', range(1, 3), 2),
    may('issuerPNR', ia5),
    may('extension', extension),
    may('issuedOnTrainNum', integer),
    may('issuedOnTrainIA5', ia5),
    may('issuedOnLine', integer),
    may('pointOfSale', coordinate),
  );

  const status = sequence(
    may('statusProviderNum', rics),
    may('statusProviderIA5', ia5),
    may('customerStatus', integer),
    may('customerStatusDescr', ia5),
  );
  const traveller = extensible(
    may('firstName', utf8),
    may('secondName', utf8),
    may('lastName', utf8),
    may('idCard', ia5),
    may('passportId', ia5),
    may('title', sized(1, 3)),
    may('gender', enumeration(4, true)),
    may('customerIdIA5', ia5),
    may('customerIdNum', integer),
    may('yearOfBirth', range(1901, 2155)),
    ...(isFirst
      ? [may('dayOfBirth', range(0, 370))]
      : [may('monthOfBirth', range(1, 12)), may('dayOfBirthInMonth', range(1, 31))]),
    must('ticketHolder', boolean),
    may('passengerType', enumeration(8, true)),
    may('passengerWithReducedMobility', boolean),
    may('countryOfResidence', country),
    may('countryOfPassport', country),
    may('countryOfIdCard', country),
    may('status', list(status)),
  );
  const travellers = extensible(
    may('traveler', list(traveller)),
    may('preferredLanguage', sized(2, 2)),
    may('groupName', utf8),
  );

  const trainLink = sequence(
    may('trainNum', integer),
    may('trainIA5', ia5),
    must('travelDate', range(-1, isFirst ? 370 : 500)),
    must('departureTime', minute),
    may('departureUTCOffset', offset),
    may('fromStationNum', station),
    may('fromStationIA5', ia5),
    may('toStationNum', station),
    may('toStationIA5', ia5),
    may('fromStationNameUTF8', utf8),
    may('toStationNameUTF8', utf8),
  );
  const entries = [
    may('entryStationNum', station),
    may('entryStationIA5', ia5),
    may('terminatingStationNum', station),
    may('terminatingStationIA5', ia5),
  ];
  const zones = extensible(
    may('carrierNum', rics),
    may('carrierIA5', ia5),
    or('stationCodeTable', codeTable, 0),
    ...entries,
    may('city', integer),
    may('zoneId', list(integer)),
    may('binaryZoneId', octets),
    may('nutsCode', ia5),
  );
  const lines = extensible(
    may('carrierNum', rics),
    may('carrierIA5', ia5),
    may('lineId', list(integer)),
    or('stationCodeTable', codeTable, 0),
    ...entries,
    may('city', isFirst ? station : integer),
    ...(isFirst ? [may('binaryZoneId', octets)] : []),
  );
  const polygon = sequence(
    must('firstEdge', coordinate),
    must('edges', list(sequence(must('longitude', integer), must('latitude', integer)))),
  );
  // Routes by stations contain themselves, and no ticket for all of Germany has one.
  const region: Type = { kind: 'choice', of: [trainLink, undefined, zones, lines, polygon], isExtensible: true };
  const way = [
    may('fromStationNum', station),
    may('fromStationIA5', ia5),
    may('toStationNum', station),
    may('toStationIA5', ia5),
    may('fromStationNameUTF8', utf8),
    may('toStationNameUTF8', utf8),
    may('validRegionDesc', utf8),
    may('validRegion', list(region)),
  ];
  const head = [
    may('referenceNum', integer),
    may('referenceIA5', ia5),
    may('productOwnerNum', rics),
    may('productOwnerIA5', ia5),
    may('productIdNum', product),
    may('productIdIA5', ia5),
  ];
  const validity = [
    or('validFromDay', fromDay, 0),
    may('validFromTime', minute),
    may('validFromUTCOffset', offset),
    or('validUntilDay', untilDay, 0),
    may('validUntilTime', minute),
    may('validUntilUTCOffset', offset),
  ];
  /** How many optional fields follow: their presence is announced before the first field. */
  const others = (count: number): Field[] =>
    Array.from({ length: count }, (_, index) => ({ name: `unread${index}`, type: unread, isOptional: true }));
  const openTicket = extensible(
    ...head,
    may('extIssuerId', integer),
    may('issuerAuthorizationId', integer),
    must('returnIncluded', boolean),
    or('stationCodeTable', codeTable, 0),
    ...way,
    may('returnDescription', extensible(...way)),
    ...validity,
    ...others(isFirst ? 14 : 16),
  );
  const pass = extensible(
    ...head,
    may('passType', range(1, 250)),
    may('passDescription', utf8),
    or('classCode', enumeration(8, true), 2),
    ...validity,
    ...others(isFirst ? 18 : 19),
  );
  const token = sequence(
    may('tokenProviderNum', integer),
    may('tokenProviderIA5', ia5),
    may('tokenSpecification', ia5),
    must('token', octets),
  );
  const kinds: (Type | undefined)[] = Array.from({ length: 12 });
  kinds[openTicketIndex] = openTicket;
  kinds[passIndex] = pass;
  const document = extensible(may('token', token), must('ticket', { kind: 'choice', of: kinds, isExtensible: true }));
  return extensible(
    must('issuingDetail', issuing),
    may('travelerDetail', travellers),
    may('transportDocument', list(document)),
    may('unread0', unread),
    may('unread1', unread),
  );
}

export const uicTypes: Readonly<Record<UicVersion, Type>> = { '13': describe('13'), '03': describe('03') };
