import { Group, Text } from '@mantine/core';
import { useCommonTexts } from '../i18n/texts.ts';
import mark from '../mark.svg';

/** Renders the brand: the logo, and the name unless there is no room for it. */
export function Mark({ size = 28, withName = true }: { size?: number; withName?: boolean }) {
  const t = useCommonTexts();
  return (
    <Group gap={10} wrap="nowrap">
      <img src={mark} width={size} height={size} alt={withName ? '' : t('brand')} />
      {withName && (
        <Text size="md" span fw={700} fz="md" style={{ whiteSpace: 'nowrap', letterSpacing: '-0.01em' }}>
          {t('brand')}
        </Text>
      )}
    </Group>
  );
}
