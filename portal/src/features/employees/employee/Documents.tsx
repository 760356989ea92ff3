import { ActionIcon, Anchor, Group, Stack, Table, Text, Tooltip } from '@mantine/core';
import { IconDownload, IconFileText } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { at, pathTo } from '../../../app/api/request.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { MoneyText, TimeText } from '../../../ui/figures.tsx';
import { MessageText } from '../../../ui/MessageText.tsx';
import { Section } from '../../../ui/Section.tsx';
import { Fold } from './Fold.tsx';
import { texts } from './texts.ts';

const shownAtOnce = 6;

export function Documents({ documents, employee }: Pick<EmployeeDetails, 'documents' | 'employee'>) {
  const t = useTexts(texts);
  const mayDownload = useAbility('documents');
  const all = documents.length > 0 && (
    <Anchor component={Link} to={`/documents?employeeId=${employee.id}`} size="sm" className="no-print">
      {t('allDocuments')}
    </Anchor>
  );
  return (
    <Section title={t('documents')} aside={all}>
      {documents.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noDocuments')}
        </Text>
      )}
      <Fold items={documents} shownAtOnce={shownAtOnce}>
        {(shown) => (
          <Stack component="ul" gap="xs" className="plain-list">
            {shown.map(({ id, documentName, documentFileType, downloadable, createdAt }) => (
              <Group key={id} component="li" justify="space-between" gap="xs" wrap="nowrap">
                <Group gap="xs" wrap="nowrap" miw={0}>
                  <IconFileText size={18} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
                  <div>
                    <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                      {documentName}
                    </Text>
                    <Text size="xs" c="dimmed" component="div">
                      {documentFileType.toUpperCase()} · <TimeText at={createdAt} exact />
                    </Text>
                  </div>
                </Group>
                {mayDownload && downloadable ? (
                  <Tooltip label={t('download')}>
                    <ActionIcon
                      component="a"
                      href={pathTo(at`/documents/${id}/download`)}
                      download
                      variant="default"
                      size="lg"
                      aria-label={`${t('download')}: ${documentName}`}
                    >
                      <IconDownload size={17} aria-hidden />
                    </ActionIcon>
                  </Tooltip>
                ) : (
                  !downloadable && (
                    <Text size="xs" c="dimmed" ta="right">
                      {t(documentFileType === 'pdf' ? 'preparing' : 'onlyPdf')}
                    </Text>
                  )
                )}
              </Group>
            ))}
          </Stack>
        )}
      </Fold>
    </Section>
  );
}

export function Charges({ charges }: Pick<EmployeeDetails, 'charges'>) {
  const t = useTexts(texts);
  const words = useWords();
  const formats = useFormats();
  if (charges.length === 0) {
    return (
      <Section title={t('charges')}>
        <Text size="sm" c="dimmed">
          {t('noCharges')}
        </Text>
      </Section>
    );
  }
  return (
    <Section title={t('charges')}>
      <Fold items={charges} shownAtOnce={shownAtOnce}>
        {(shown) => (
          <Table.ScrollContainer minWidth={0} type="native">
            <Table className="data-table" aria-label={t('charges')} horizontalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('period')}</Table.Th>
                  <Table.Th visibleFrom="sm">{t('type')}</Table.Th>
                  <Table.Th ta="right" visibleFrom="sm">
                    {t('company')}
                  </Table.Th>
                  <Table.Th ta="right">{t('employee')}</Table.Th>
                  <Table.Th ta="right">{t('gross')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map(({ id, billing, charge, corrects, reason, message }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <Anchor component={Link} to={`/billing/${billing.period}`} inherit>
                        {formats.month(billing.period)}
                      </Anchor>
                      {corrects && (
                        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                          {t('correction', { period: formats.month(corrects.period) })}{' '}
                          {message === null ? reason : <MessageText message={message} />}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td visibleFrom="sm">{words.charge[charge.type]}</Table.Td>
                    <Table.Td ta="right" visibleFrom="sm">
                      <MoneyText money={charge.plan?.companyAmount ?? null} />
                    </Table.Td>
                    <Table.Td ta="right">
                      <MoneyText money={charge.plan?.employeeAmount ?? null} />
                    </Table.Td>
                    <Table.Td ta="right">
                      <MoneyText money={billing.overall} strong />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Fold>
    </Section>
  );
}
