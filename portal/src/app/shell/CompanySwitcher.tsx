import { Button, Menu, Text } from '@mantine/core';
import type { Me } from '../../../../src/portal/contract.ts';
import { useMemberships, useSwitchCompany } from '../../features/accounts/api.ts';
import { IconBuilding, IconCheck, IconChevronDown } from '../../ui/icons.gen.ts';
import { useReader } from '../i18n/reader.ts';

const icon = { size: 16, 'aria-hidden': true } as const;

export function CompanySwitcher({ company }: Pick<Me, 'company'>) {
  const { t } = useReader();
  const companies = useMemberships().data?.companies ?? [];
  const change = useSwitchCompany();
  if (companies.length < 2) {
    return (
      <Text c="dimmed" truncate title={company.name}>
        {company.name}
      </Text>
    );
  }
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          miw={0}
          loading={change.isPending}
          rightSection={<IconChevronDown {...icon} />}
          aria-label={t('switchCompany', { company: company.name })}
        >
          <Text truncate>{company.name}</Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('companies')}</Menu.Label>
        {companies.map(({ id, name }) => (
          <Menu.Item
            key={id}
            leftSection={id === company.id ? <IconCheck {...icon} /> : <IconBuilding {...icon} />}
            aria-current={id === company.id ? 'true' : undefined}
            disabled={id === company.id}
            onClick={() => change.mutate(id)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
