import './drop-area.css';
import { Button, FileButton, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTexts } from '../../../app/i18n/texts.ts';
import { texts } from './texts.ts';

/** Lets the user choose or drop a file. The button does everything that dropping does. */
export function DropArea({ onFile }: { onFile(file: File): void }) {
  const t = useTexts(texts);
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional, the button works for all users.
    <div
      className="drop-area"
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Stack align="center" gap="xs">
        <IconFileUpload size={34} stroke={1.4} color="var(--mantine-color-dimmed)" aria-hidden />
        <FileButton
          accept=".xlsx,.csv,.txt,.json,text/csv,application/json"
          onChange={(file) => file && onFile(file)}
          inputProps={{ 'aria-label': t('choose') }}
        >
          {(props) => <Button {...props}>{t('choose')}</Button>}
        </FileButton>
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {t('drop')}
        </Text>
        <Text size="sm" c="dimmed" ta="center">
          {t('formats')}
        </Text>
      </Stack>
    </div>
  );
}
