import { DataList, type DataListProps } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = readonly [label: string, value: ReactNode];

interface Props extends Pick<DataListProps, 'size' | 'mt'> {
  facts: readonly Fact[];
  labelWidth?: number;
}

/** Renders a list of labels and their values. */
export function Facts({ facts, labelWidth = 140, ...props }: Props) {
  return (
    <DataList labelWidth={labelWidth} gap={6} {...props}>
      {facts.map(([label, value]) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue style={{ overflowWrap: 'anywhere', minWidth: 0 }}>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  );
}
