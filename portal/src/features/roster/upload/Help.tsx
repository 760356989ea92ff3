import { Accordion, Badge, Button, Card, Code, Stack, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { requiredColumns } from '../../../../../src/domain/choices.ts';
import { useLanguage } from '../../../app/i18n/language.tsx';
import { useTexts } from '../../../app/i18n/texts.ts';
import { downloadTemplate, templateColumns } from './template.ts';
import { texts } from './texts.ts';

/** Explains the format of a table and offers a template. */
export function Help() {
  const t = useTexts(texts);
  const { language } = useLanguage();
  return (
    <Stack align="flex-start" gap="sm">
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => downloadTemplate(language, t('templateName'))}
      >
        {t('template')}
      </Button>
      <Card padding={0} w="100%">
        <Accordion order={2}>
          <Accordion.Item value="help" style={{ border: 0 }}>
            <Accordion.Control>{t('help')}</Accordion.Control>
            <Accordion.Panel>
              <Text size="sm" mb="sm">
                {t('helpText')}
              </Text>
              <Table.ScrollContainer minWidth={0} type="native">
                <Table className="data-table">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t('column')}</Table.Th>
                      <Table.Th>{t('meaning')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {templateColumns(language).map(([column, heading]) => (
                      <Table.Tr key={column}>
                        <Table.Td style={{ verticalAlign: 'top' }}>
                          <Code>{heading}</Code>
                          {requiredColumns.some((one) => one === column) && (
                            <Badge size="xs" color="gray" display="block" mt={4}>
                              {t('needed')}
                            </Badge>
                          )}
                        </Table.Td>
                        <Table.Td>
                          {t(column === 'absenceStart' || column === 'absenceEnd' ? `${column}Help` : column)}
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      </Card>
    </Stack>
  );
}
