import type { UpcomingType } from '../../../../src/domain/subscription/public-dates.ts';
import { fieldsDe } from '../../app/i18n/fields.de.ts';
import { fieldsEn } from '../../app/i18n/fields.en.ts';
import { upcomingDay, useFormats } from '../../app/i18n/formats.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { texts } from './texts.ts';

interface AbsenceValue {
  startDate: string;
  endDate: string | null;
  approved: boolean;
}

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

const isUpcoming = (value: unknown): value is { type: UpcomingType; at: string } =>
  typeof value === 'object' && value !== null && 'type' in value && 'at' in value;

/** Returns functions that format the names and values of changed fields. Unknown values are shown as in the API. */
export function useFieldValues() {
  const t = useTexts(texts);
  const words = useWords();
  const formats = useFormats();
  const isGerman = useLanguage().language === 'de';
  const fields: Record<string, string> = isGerman ? fieldsDe : fieldsEn;

  const absence = ({ startDate, endDate, approved }: AbsenceValue) => {
    const span = `${formats.date(startDate)} – ${endDate === null ? t('open') : formats.date(endDate)}`;
    return approved ? span : `${span} (${t('notApproved')})`;
  };
  const listed: Record<string, Record<string, string>> = {
    'subscription.status': words.subscriptionStatus,
    'plan.type': words.plan,
    'plan.contractSigningStatus': words.contract,
  };

  /** Returns undefined if there is no value. */
  function formatValue(field: string, value: unknown): string | undefined {
    if (field === 'autoSyncEmployee') {
      return t(value === true ? 'subscribe' : value === false ? 'doNotSubscribe' : 'notSpecified');
    }
    if (value === null || value === undefined || value === '') return undefined;
    if (Array.isArray(value)) {
      const items = value.map((one) =>
        typeof one === 'object' ? absence(one as AbsenceValue) : (listed[field]?.[one] ?? String(one)),
      );
      return items.length === 0 ? undefined : items.join(', ');
    }
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') {
      return /contribution/i.test(field) ? formats.money(value) : formats.number(value);
    }
    if (isDay(value)) return formats.date(value);
    if (isUpcoming(value)) return `${words.upcoming[value.type]} ${formats.date(upcomingDay(value))}`;
    return listed[field]?.[String(value)] ?? String(value);
  }

  return {
    /** The history of a subscription names its fields without the prefix. */
    nameField: (field: string) => fields[field] ?? fields[`subscription.${field}`] ?? field,
    formatValue,
  };
}
