import { Group, Loader, Modal, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { IconSearch } from '../../../ui/icons.gen.ts';
import { useReader } from '../../i18n/reader.ts';
import { type Item, type ItemGroup, useItems } from './items.ts';
import { texts } from './texts.ts';
import './palette.css';

const pauseMillis = 150;
const listId = 'palette-results';
const optionId = (index: number) => `palette-option-${index}`;

interface OptionsProps {
  groups: ItemGroup[];
  active: number;
  onActive(index: number): void;
  onOpen(item: Item): void;
}

function Options({ groups, active, onActive, onOpen }: OptionsProps) {
  const { t } = useReader(texts);
  const items = groups.flatMap((group) => group.items);
  return (
    <div role="listbox" id={listId} className="palette-options" aria-label={t('results')}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options.
        <div role="group" key={group.name} aria-label={group.name}>
          <Text size="xs" fw={600} c="dimmed" px="sm" pt="xs" pb={4} aria-hidden>
            {group.name}
          </Text>
          {group.items.map((item) => {
            const index = items.indexOf(item);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus, and its keys choose an option.
              <div
                key={item.to + item.title}
                role="option"
                id={optionId(index)}
                className="palette-option"
                aria-selected={index === active}
                onMouseMove={() => onActive(index)}
                onClick={() => onOpen(item)}
              >
                <Text fw={500} truncate>
                  {item.title}
                </Text>
                {item.detail !== undefined && (
                  <Text size="xs" c="dimmed" truncate>
                    {item.detail}
                  </Text>
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface SearchProps {
  typed: string;
  /** Enter was pressed for this text. It opens the chosen item as soon as what the text finds is there. */
  isEntered: boolean;
  onType(text: string): void;
  onEnter(): void;
  onClose(): void;
}

function Search({ typed, isEntered, onType, onEnter, onClose }: SearchProps) {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const [text] = useDebouncedValue(typed.trim(), pauseMillis);
  const [active, setActive] = useState(0);
  const { groups, isLoading } = useItems(text);
  const items = groups.flatMap((group) => group.items);
  const chosen = Math.min(active, items.length - 1);
  useEffect(() => {
    document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const open = ({ to }: Item) => {
    onClose();
    void navigate(to);
  };
  const entered = isEntered && typed.trim() === text && !isLoading ? items[chosen] : undefined;
  useEffect(() => {
    if (entered !== undefined) open(entered);
  });
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setActive((chosen + step + items.length) % items.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      onEnter();
    }
  };
  const isEmpty = items.length === 0 && !isLoading;
  return (
    <Stack gap={0}>
      <TextInput
        type="search"
        role="combobox"
        aria-label={t('label')}
        aria-expanded={items.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        {...(items.length > 0 ? { 'aria-activedescendant': optionId(chosen) } : {})}
        placeholder={t('hint')}
        value={typed}
        onChange={(event) => {
          onType(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={press}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={isLoading && <Loader size="xs" />}
        size="md"
        px="sm"
        pb="xs"
        maxLength={200}
        autoComplete="off"
        data-autofocus
      />
      <Options groups={groups} active={chosen} onActive={setActive} onOpen={open} />
      {isEmpty && (
        <Text c="dimmed" p="sm">
          {t('nothing', { text })}
        </Text>
      )}
      <Group px="sm" py={8} className="palette-foot">
        <Text size="xs" c="dimmed">
          {t('keyboard')}
        </Text>
        <VisuallyHidden role="status">
          {isEmpty ? t('nothing', { text }) : t('found', { count: items.length })}
        </VisuallyHidden>
      </Group>
    </Stack>
  );
}

/** Finds employees, syncs, keys, invoices and pages from anywhere. */
export function Palette({ opened, ...search }: SearchProps & { opened: boolean }) {
  const { t } = useReader(texts);
  return (
    <Modal
      opened={opened}
      onClose={search.onClose}
      title={t('search')}
      size="lg"
      // Its top stays where it is while the results change.
      centered={false}
      yOffset="10vh"
      padding={0}
      closeButtonProps={{ 'aria-label': t('close') }}
      styles={{ header: { padding: '8px 16px', minHeight: 0 } }}
    >
      <Search {...search} />
    </Modal>
  );
}
