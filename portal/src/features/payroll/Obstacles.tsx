import { Alert, Anchor, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { PayrollPreview } from '../../../../src/features/payroll/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useTexts } from '../../app/i18n/texts.ts';
import { texts } from './texts.ts';

/** Names the settings without which nothing can be exported. */
export function MissingSettings({ settings }: { settings: PayrollPreview['missingSettings'] }) {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const maySet = useAbility('settings');
  if (settings.length === 0) return null;
  const names = new Intl.ListFormat(language).format(settings.map((setting) => t(setting)));
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} title={t('missingTitle')}>
      {t('missing', { settings: names })} {maySet ? t('missingAdmin') : t('missingOther')}
      {maySet && (
        <Text size="sm" mt={6}>
          <Anchor component={Link} to="/settings" size="sm">
            {t('toSettings')}
          </Anchor>
        </Text>
      )}
    </Alert>
  );
}

/** Marks everybody whose employment ended before the month. They are exported nevertheless. */
export function Leavers({ leavers }: Pick<PayrollPreview, 'leavers'>) {
  const t = useTexts(texts);
  const formats = useFormats();
  if (leavers.length === 0) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} title={t('leaversTitle', { count: leavers.length })}>
      {t('leaversHint')}
      <ScrollArea.Autosize mah={200} type="auto" tabIndex={0}>
        <ul className="plain-list">
          {leavers.map(({ employeeId, name, terminationDate }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: removed employees have neither id nor name.
            <Text key={index} component="li" size="sm">
              {employeeId === null ? (
                t('removed')
              ) : (
                <Anchor component={Link} to={`/employees/${employeeId}`} size="sm">
                  {name}
                </Anchor>
              )}
              {': '}
              {t('leftOn', { date: formats.date(terminationDate) })}
            </Text>
          ))}
        </ul>
      </ScrollArea.Autosize>
    </Alert>
  );
}

/** Lists everybody who cannot be exported, with what to do. */
export function Problems({ preview: { problems, problemCount } }: { preview: PayrollPreview }) {
  const t = useTexts(texts);
  if (problemCount === 0) return null;
  return (
    <Stack gap="sm">
      <Alert color="orange" icon={<IconAlertTriangle size={18} />} title={t('problemsTitle', { count: problemCount })}>
        {t('problemsHint')} {problemCount > problems.length && t('problemsMore', { count: problems.length })}
      </Alert>
      <ScrollArea.Autosize mah={360} type="auto" tabIndex={0}>
        <Table className="data-table" aria-label={t('problemsTitle', { count: problemCount })}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('employee')}</Table.Th>
              <Table.Th>{t('hrId')}</Table.Th>
              <Table.Th>{t('remedy')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.map(({ code, employeeId, name, hrId }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: removed employees have neither id nor name.
              <Table.Tr key={index}>
                <Table.Td>
                  {employeeId === null ? (
                    t('removed')
                  ) : (
                    <Anchor component={Link} to={`/employees/${employeeId}`} size="sm">
                      {name}
                    </Anchor>
                  )}
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{hrId ?? '–'}</Table.Td>
                <Table.Td>{t(code)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </Stack>
  );
}
