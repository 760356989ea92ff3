import { Alert, type AlertProps, Anchor, Group, ScrollArea, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { PayrollExport, PayrollPreview } from '../../../../src/features/payroll/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useChange } from '../../app/api/queries.ts';
import { at, post } from '../../app/api/request.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { IconAlertTriangle, IconDownload } from '../../ui/icons.gen.ts';
import { Stat } from '../../ui/layout.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Hint } from '../../ui/text.tsx';
import { fileOf, touched } from './export-files.tsx';
import { texts } from './texts.ts';

const Warning = (props: AlertProps) => <Alert color="orange" icon={<IconAlertTriangle size={18} />} {...props} />;

function MissingSettings({ settings }: { settings: PayrollPreview['missingSettings'] }) {
  const { t } = useReader(texts);
  const { language } = useLanguage();
  const maySet = useAbility('settings');
  if (settings.length === 0) return null;
  const names = new Intl.ListFormat(language).format(settings.map((setting) => t(setting)));
  return (
    <Warning title={t('missingTitle')}>
      {t('missing', { settings: names })} {maySet ? t('missingAdmin') : t('missingOther')}
      {maySet && (
        <Text mt={6}>
          <Anchor component={Link} to="/settings">
            {t('toSettings')}
          </Anchor>
        </Text>
      )}
    </Warning>
  );
}

export function EmployeeLink({ employeeId, name }: { employeeId: number | null; name: string | null }) {
  const { t } = useReader(texts);
  if (employeeId === null) return t('removed');
  return (
    <Anchor component={Link} to={`/employees/${employeeId}`}>
      {name}
    </Anchor>
  );
}

/** Marks everybody whose employment ended before the month. They are exported nevertheless. */
function Leavers({ leavers }: Pick<PayrollPreview, 'leavers'>) {
  const { t, formats } = useReader(texts);
  if (leavers.length === 0) return null;
  return (
    <Warning title={t('leaversTitle', { count: leavers.length })}>
      {t('leaversHint')}
      <ScrollArea.Autosize mah={200} type="auto" tabIndex={0}>
        <ul className="plain-list">
          {leavers.map(({ employeeId, name, terminationDate }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: removed employees have neither id nor name.
            <Text key={index} component="li">
              <EmployeeLink employeeId={employeeId} name={name} />
              {': '}
              {t('leftOn', { date: formats.date(terminationDate) })}
            </Text>
          ))}
        </ul>
      </ScrollArea.Autosize>
    </Warning>
  );
}

function Problems({ preview: { problems, problemCount } }: { preview: PayrollPreview }) {
  const { t } = useReader(texts);
  if (problemCount === 0) return null;
  return (
    <Stack gap="sm">
      <Warning title={t('problemsTitle', { count: problemCount })}>
        {t('problemsHint')} {problemCount > problems.length && t('problemsMore', { count: problems.length })}
      </Warning>
      <ScrollArea.Autosize mah={360} type="auto" tabIndex={0}>
        <Rows
          label={t('problemsTitle', { count: problemCount })}
          rows={problems}
          rowKey={(_problem, index) => index}
          isQuiet
          columns={[
            { header: t('employee'), render: (problem) => <EmployeeLink {...problem} /> },
            { header: t('hrId'), cell: { className: 'breakable' }, render: ({ hrId }) => hrId ?? '–' },
            { header: t('remedy'), render: ({ code }) => t(code) },
          ]}
        />
      </ScrollArea.Autosize>
    </Stack>
  );
}

function Figures({ preview }: { preview: PayrollPreview }) {
  const { t, formats } = useReader(texts);
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

/** Renders what the next export of a month contains and what prevents it, and exports it. */
export function PayrollContent({ preview, period }: { preview: PayrollPreview; period: string }) {
  const { t, words, formats } = useReader(texts);
  const change = useChange(() => post<PayrollExport>(at`/payroll/${period}`), touched);
  const mayExport = useAbility('payroll-files');
  const { missingSettings, problemCount, lines, periodAge } = preview;
  if (lines === 0 && problemCount === 0) {
    return (
      <Stack gap="sm">
        <Text>{t('nothing', { month: formats.month(period) })}</Text>
        <MissingSettings settings={missingSettings} />
      </Stack>
    );
  }
  const exportAndDownload = () =>
    change.mutate(undefined, {
      onSuccess: ({ id, number }) => {
        Object.assign(document.createElement('a'), { href: fileOf({ id }), download: '' }).click();
        notifyDone(t('exported', { number: String(number) }));
      },
    });
  return (
    <Stack>
      <Figures preview={preview} />
      {periodAge !== 'usual' && <Warning>{t(periodAge, { month: formats.month(period) })}</Warning>}
      <MissingSettings settings={missingSettings} />
      <Problems preview={preview} />
      <Leavers leavers={preview.leavers} />
      <ProblemAlert error={change.error} />
      <Group justify="space-between" gap="sm">
        <Hint maw={620}>
          {t('rules', {
            system: words.payrollSystem[preview.system],
            treatment: words.taxTreatment[preview.taxTreatment],
            percent: preview.benefitValuation,
          })}
          <br />
          {t('frozen')}
        </Hint>
        {mayExport ? (
          <Action
            icon={IconDownload}
            onClick={exportAndDownload}
            loading={change.isPending}
            disabled={problemCount > 0 || missingSettings.length > 0 || periodAge === 'future'}
            label={t('export')}
          />
        ) : (
          <Hint>{t('mayNotExport')}</Hint>
        )}
      </Group>
    </Stack>
  );
}
