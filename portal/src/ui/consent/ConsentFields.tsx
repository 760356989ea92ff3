import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ConsentWay } from '../../../../src/domain/enums.ts';
import { useMe } from '../../app/api/me.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { DateField } from '../DateField.tsx';
import { PdfInput } from '../PdfInput.tsx';
import { texts } from './texts.ts';

const ways: readonly ConsentWay[] = ['on-paper', 'electronically'];

/** Holds how an employee agreed, as the user enters it. */
export function useConsent() {
  const today = useMe().data?.today;
  const [given, setGiven] = useState<ConsentWay>('on-paper');
  const [on, setOn] = useState<string | null>(null);
  const [scan, setScan] = useState<File | null>(null);
  const date = on ?? today ?? null;
  return { given, setGiven, date, setOn, scan, setScan, today, value: date === null ? undefined : { given, on: date } };
}

export type ConsentState = ReturnType<typeof useConsent>;

interface Props {
  consent: ConsentState;
  /** Whether a scan can be added. Not for many employees at once. */
  withScan?: boolean;
}

/** Lets the user say how an employee agreed: on paper or electronically, and when. */
export function ConsentFields({ consent, withScan = false }: Props) {
  const { t } = useReader(texts);
  const { given, setGiven, date, setOn, scan, setScan, today } = consent;
  return (
    <Stack gap="sm">
      <Radio.Group label={t('given')} value={given} onChange={(value) => setGiven(value as ConsentWay)}>
        <Stack gap={6} mt={4}>
          {ways.map((way) => (
            <Radio key={way} value={way} label={t(way)} />
          ))}
        </Stack>
      </Radio.Group>
      <DateField label={t('on')} value={date} onChange={setOn} {...(today ? { maxDate: today } : {})} />
      {withScan && given === 'on-paper' && <PdfInput label={t('scan')} value={scan} onChange={setScan} clearable />}
      <Text c="dimmed">{t('hint')}</Text>
    </Stack>
  );
}

/** Returns the name under which the scan is stored. */
export const useScanName = () => useTexts(texts)('scanName');
