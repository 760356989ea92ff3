/** Checks the identifiers that stand on an invoice. Each function says only whether the text is one. */

/** ISO 3166-1, as the code list of EN 16931 has it. */
const countries = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BL BJ BM BN BO BQ BR BS BT BV BW BY BZ CA CC
  CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE
  GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM
  KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ
  NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH
  SI SJ SK SL SM SN SO SR ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI
  VN VU WF WS YE YT ZA ZM ZW`.split(/\s+/),
);

export const isCountry = (text: string) => countries.has(text);

/** The VAT numbers of the EU without the prefix. Elsewhere there is no common form. */
const vatNumbers: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^[1-9]\d{8}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

/**
 * Returns whether the text has the form of a VAT id with its country. Whether it was issued, only the tax office
 * knows: the check digits of most countries are not published.
 */
export function isVatId(text: string): boolean {
  const [country, number] = [text.slice(0, 2), text.slice(2)];
  const form = vatNumbers[country];
  return form === undefined ? isCountry(country) && /^[A-Z0-9]{4,15}$/.test(number) : form.test(number);
}

/** Returns the remainder by 97 of a text whose letters stand for 10 to 35, as ISO 7064 has it. */
function remainderBy97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

/** The lengths of IBANs in the countries of the SEPA area. Elsewhere the check digits decide alone. */
const ibanLengths = new Map(
  `AD24 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GR27 HR21 HU28 IE22 IS26 IT27 LI21 LT20 LU20
  LV21 MC27 MT31 NL18 NO15 PL28 PT25 RO24 SE24 SI19 SK24 SM27 VA22`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Expects an IBAN without spaces, in capitals. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  const length = ibanLengths.get(text.slice(0, 2));
  return (length === undefined || text.length === length) && remainderBy97(text.slice(4) + text.slice(0, 4)) === 1;
}

export const isBic = (text: string) => /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text);

/**
 * The number of a German public authority: a region (its digits name state, district and municipality), a part that
 * the authority chooses, and two check digits.
 */
const leitwegId =
  /^((?:0[1-9]|1[0-6]|99)(?:\d(?:\d{2}(?:\d{3}(?:\d(?:\d{3})?)?)?)?)?)(?:-([A-Za-z0-9]{1,30}))?-(\d{2})$/;

/** Returns whether the text has the form of a Leitweg-ID. Other buyers choose references of any form. */
export const isLeitwegLike = (text: string) => leitwegId.test(text);

export function hasLeitwegCheckDigits(text: string): boolean {
  const [, region = '', chosen = '', check = ''] = leitwegId.exec(text) ?? [];
  return remainderBy97(`${region}${chosen}${check}`) === 1;
}
