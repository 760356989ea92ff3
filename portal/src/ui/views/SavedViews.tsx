import { ActionIcon, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { ListQuery, RemoveBody, SaveBody, SavedView } from '../../../../src/portal/contract.ts';
import { useChange, usePost } from '../../app/api/queries.ts';
import { get, post } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../Action.tsx';
import { Form, useChangeForm } from '../Form.tsx';
import { IconBookmark, IconTrash } from '../icons.gen.ts';
import type { ListState } from '../list-state.ts';
import { ProblemAlert } from '../ProblemAlert.tsx';
import type { ColumnState } from '../table.tsx';
import { texts } from './texts.ts';

interface Props {
  /** The list that the views belong to. */
  name: SaveBody['list'];
  list: ListState;
  choice: ColumnState;
}

/** Saves filters, order and columns of a list under a name with the account, and opens them again. */
export function SavedViews({ name: of, list, choice }: Props) {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const { data: views = [] } = useQuery({
    queryKey: ['views', of],
    queryFn: ({ signal }) => get<SavedView[], ListQuery>('/me/views', { query: { list: of }, signal }),
  });
  const saving = usePost<void, SaveBody>('/me/views', ['views']);
  const removing = useChange(
    (name: string) => post<void, RemoveBody>('/me/views/remove', { list: of, name }),
    ['views'],
  );
  const [opened, { toggle, close }] = useDisclosure(false);
  const form = useChangeForm({
    initial: { name: '' },
    change: saving,
    input: ({ name }) => ({ list: of, name: name.trim(), address: list.address, hidden: choice.hidden }),
    onDone: () => {
      form.reset();
      close();
    },
  });
  const show = ({ address, hidden }: SavedView) => {
    choice.setHidden(hidden);
    close();
    void navigate({ search: address });
  };
  return (
    <Popover opened={opened} onChange={(next) => !next && close()} position="bottom-end" trapFocus width={300}>
      <Popover.Target>
        <Action
          variant="default"
          size="compact-sm"
          leftSection={<IconBookmark size={15} aria-hidden />}
          onClick={toggle}
          label={t('views')}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('views')}>
        <Stack gap="sm">
          {views.length === 0 && <Text c="dimmed">{t('none')}</Text>}
          {views.map((view) => (
            <Group key={view.name} gap={4} wrap="nowrap">
              <Action
                variant="subtle"
                size="compact-sm"
                justify="flex-start"
                flex={1}
                miw={0}
                aria-label={t('open', { name: view.name })}
                onClick={() => show(view)}
                label={view.name}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('remove', { name: view.name })}
                onClick={() => removing.mutate(view.name)}
                disabled={removing.isPending}
              >
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <Form of={form} gap={6}>
            <TextInput
              {...form.getInputProps('name')}
              label={t('name')}
              description={t('stored')}
              maxLength={60}
              autoComplete="off"
            />
            <ProblemAlert error={removing.error} />
            <Action
              type="submit"
              size="compact-sm"
              disabled={form.values.name.trim() === ''}
              loading={saving.isPending}
              label={t('save')}
            />
          </Form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
