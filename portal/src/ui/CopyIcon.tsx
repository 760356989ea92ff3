import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCommonTexts } from '../app/i18n/common.ts';

/** Copies a value and confirms that visually and to screen readers. */
export function CopyIcon({ value, label }: { value: string; label?: string }) {
  const t = useCommonTexts();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const words = copied ? t('copied') : (label ?? t('copy'));
        return (
          <Tooltip label={words}>
            <ActionIcon variant="subtle" color={copied ? 'teal' : 'gray'} size="sm" onClick={copy} aria-label={words}>
              {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}
