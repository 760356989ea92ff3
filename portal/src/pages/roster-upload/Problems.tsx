import { Alert, Card, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { ApiProblem } from '../../api/request.ts';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

/** Renders a location in the file. It may be long, so it can break between its parts. */
const Place = ({ text }: { text: string }) =>
  text.split(/(?=\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one location never change.
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));

/** Renders why a roster is not accepted: every location, and what is wrong there. */
export function Problems({ problem }: { problem: ApiProblem }) {
  const t = useTexts({ en, de });
  const { errors, errorCount: count } = problem;
  const inWords = (pointer = '') => pointer.replace(/\bline (\d+)/, (_all, line: string) => t('line', { line }));
  return (
    <Stack gap="sm">
      <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('invalidTitle', { count })} role="alert">
        <Text size="sm">
          {t('invalidHint')}
          {count > errors.length && ` ${t('firstProblems', { shown: errors.length, count })}`}
        </Text>
      </Alert>
      <Card padding={0}>
        <Table className="data-table" aria-label={t('invalidTitle', { count })}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('place')}</Table.Th>
              <Table.Th>{t('problem')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {errors.map(({ pointer, hrId, code, detail }) => (
              <Table.Tr key={`${pointer} ${code} ${detail}`}>
                <Table.Td style={{ verticalAlign: 'top' }} className="figures">
                  <Place text={inWords(pointer)} />
                  {hrId !== undefined && (
                    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {t('hrIdOf', { hrId })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td lang="en" style={{ overflowWrap: 'anywhere' }}>
                  {detail}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Card>
    </Stack>
  );
}
