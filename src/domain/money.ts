/** Formats money. Money is an integer number of cents everywhere else; it becomes text only here. */
export type MoneyFormat = (cents: number) => string;

const formats = new Map<string, MoneyFormat>();

/** The maximum number of cached labels. Prices repeat, and formatting costs more than a lookup. */
const rememberedLabels = 10_000;

function createFormat(locale: string, currency: string): MoneyFormat {
  const formatter = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const labels = new Map<number, string>();
  return (cents) => {
    const known = labels.get(cents);
    if (known !== undefined) return known;
    const label = formatter.format(cents / 100);
    if (labels.size < rememberedLabels) labels.set(cents, label);
    return label;
  };
}

export function moneyFormat(locale: string, currency: string): MoneyFormat {
  const key = `${locale} ${currency}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = createFormat(locale, currency);
  formats.set(key, format);
  return format;
}

/** Returns a fraction rounded half up. Compares the remainder, because quotients such as 1.005 are not exact. */
export function divideHalfUp(numerator: number, denominator: number): number {
  const remainder = numerator % denominator;
  const whole = (numerator - remainder) / denominator;
  return 2 * remainder >= denominator ? whole + 1 : whole;
}
