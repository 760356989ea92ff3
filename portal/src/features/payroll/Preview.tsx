import { Alert, Button, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { PayrollPreview } from '../../../../src/features/payroll/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { at, pathTo } from '../../app/api/request.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Section } from '../../ui/Section.tsx';
import { Stat } from '../../ui/Stat.tsx';
import { useExportPayroll, usePayrollPreview } from './api.ts';
import { Leavers, MissingSettings, Problems } from './Obstacles.tsx';
import { texts } from './texts.ts';

function startDownload(address: string) {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

function Figures({ preview }: { preview: PayrollPreview }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { lines, employees, taxFree, flatTax, deduction } = preview;
  return (
    <SimpleGrid cols={{ base: 1, sm: taxFree.value !== 0 && flatTax.value !== 0 ? 4 : 3 }}>
      <Stat label={t('employees')} value={formats.number(employees)} hint={t('lines', { count: lines })} />
      {(taxFree.value !== 0 || flatTax.value === 0) && (
        <Stat label={t('taxFree')} value={formats.money(taxFree.value)} hint={t('taxFreeHint')} />
      )}
      {flatTax.value !== 0 && (
        <Stat label={t('flatTax')} value={formats.money(flatTax.value)} hint={t('flatTaxHint')} />
      )}
      <Stat label={t('deduction')} value={formats.money(deduction.value)} hint={t('deductionHint')} />
    </SimpleGrid>
  );
}

interface ContentProps {
  preview: PayrollPreview;
  period: string;
}

function Content({ preview, period }: ContentProps) {
  const t = useTexts(texts);
  const words = useWords();
  const formats = useFormats();
  const change = useExportPayroll();
  const mayExport = useAbility('payroll-files');
  const { missingSettings, problemCount, lines, periodAge } = preview;
  if (lines === 0 && problemCount === 0) {
    return (
      <Stack gap="sm">
        <Text size="sm">{t('nothing', { month: formats.month(period) })}</Text>
        <MissingSettings settings={missingSettings} />
      </Stack>
    );
  }
  const exportAndDownload = () =>
    change.mutate(period, {
      onSuccess: ({ id, number }) => {
        startDownload(pathTo(at`/payroll/exports/${id}/download`));
        notifications.show({ color: 'teal', message: t('exported', { number: String(number) }) });
      },
    });
  return (
    <Stack>
      <Figures preview={preview} />
      {periodAge !== 'usual' && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} />}>
          {t(periodAge, { month: formats.month(period) })}
        </Alert>
      )}
      <MissingSettings settings={missingSettings} />
      <Problems preview={preview} />
      <Leavers leavers={preview.leavers} />
      <ProblemAlert error={change.error} />
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw={620}>
          {t('rules', {
            system: words.payrollSystem[preview.system],
            treatment: words.taxTreatment[preview.taxTreatment],
            percent: preview.benefitValuation,
          })}
          <br />
          {t('frozen')}
        </Text>
        {mayExport ? (
          <Button
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={exportAndDownload}
            loading={change.isPending}
            disabled={problemCount > 0 || missingSettings.length > 0 || periodAge === 'future'}
          >
            {t('export')}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {t('mayNotExport')}
          </Text>
        )}
      </Group>
    </Stack>
  );
}

/**
 * Shows what the next export of a month would contain and what prevents it, and exports it. What follows appears
 * together with it, because its height is not known before.
 */
export function Preview({ period, children }: { period: string; children: ReactNode }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { data, error, refetch } = usePayrollPreview(period);
  return (
    <>
      <Section title={t('preview', { month: formats.month(period) })}>
        <ProblemAlert error={error} onRetry={() => void refetch()} />
        {data ? <Content preview={data} period={period} /> : !error && <Skeleton height={160} />}
      </Section>
      {(data || error) && children}
    </>
  );
}
