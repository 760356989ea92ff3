import { Card, Skeleton, Stack } from '@mantine/core';

/** Stands for a card with rows of text that are being loaded. */
export function RowsSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <Card aria-hidden>
      <Stack gap={18}>
        {Array.from({ length: rows }, (_, index) => (
          // The rows have no identity: they only fill the place of text.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <Skeleton key={index} height={14} width={`${92 - ((index * 17) % 40)}%`} />
        ))}
      </Stack>
    </Card>
  );
}
