import { Group, RingProgress, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import type { Overview } from '../../../../src/portal/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { statusColours } from './status-colours.ts';
import { texts } from './texts.ts';

/** Renders a ring chart and beside it the same figures as a list that links to the employees. */
export function StatusRing({ statuses }: { statuses: Overview['employeesByStatus'] }) {
  const t = useTexts(texts);
  const words = useWords().subscriptionStatus;
  const formats = useFormats();
  const total = statuses.reduce((sum, { employees }) => sum + employees, 0);
  return (
    <Group gap="lg" justify="center" wrap="wrap">
      <Stack gap={0} pos="relative" align="center" aria-hidden>
        <RingProgress
          size={180}
          thickness={20}
          sections={statuses.map(({ status, employees }) => ({
            value: (employees / total) * 100,
            color: statusColours[status],
            tooltip: `${words[status]}: ${formats.number(employees)}`,
          }))}
        />
        <Stack gap={0} align="center" justify="center" pos="absolute" inset={0} style={{ pointerEvents: 'none' }}>
          <Text fz={24} fw={650} lh={1.2}>
            {formats.number(total)}
          </Text>
          <Text size="xs" c="dimmed">
            {t('employees')}
          </Text>
        </Stack>
      </Stack>
      <Table w="auto" flex="1 1 200px" verticalSpacing={4} withRowBorders={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th p={0}>
              <VisuallyHidden>{t('status')}</VisuallyHidden>
            </Table.Th>
            <Table.Th p={0}>
              <VisuallyHidden>{t('employees')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {statuses.map(({ status, employees }) => (
            <Table.Tr key={status}>
              <Table.Td>
                <Group gap={8} wrap="nowrap">
                  <svg width="10" height="10" aria-hidden="true">
                    <rect
                      width="10"
                      height="10"
                      rx="3"
                      fill={`var(--mantine-color-${statusColours[status].replace('.', '-')})`}
                    />
                  </svg>
                  <Text component={Link} to={`/employees?subscriptionStatuses=${status}`} size="sm" c="inherit">
                    {words[status]}
                  </Text>
                </Group>
              </Table.Td>
              <Table.Td ta="right" className="figures">
                {formats.number(employees)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Group>
  );
}
