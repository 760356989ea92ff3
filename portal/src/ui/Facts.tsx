import { DataList, type DataListProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from './layout.tsx';

export type Fact = readonly [label: string, value: ReactNode];

interface FactsProps extends Pick<DataListProps, 'size' | 'mt' | 'mb'> {
  /** Those that are false are left out. */
  facts: readonly (Fact | false)[];
  labelWidth?: number;
  /** Renders a section with this heading. */
  title?: string;
}

/** Renders a list of labels and their values. */
export function Facts({ facts, labelWidth = 140, title, ...props }: FactsProps) {
  const list = (
    <DataList labelWidth={labelWidth} gap={6} {...props}>
      {facts
        .filter((fact) => fact !== false)
        .map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue className="breakable" miw={0}>
              {value}
            </DataList.ItemValue>
          </DataList.Item>
        ))}
    </DataList>
  );
  return title === undefined ? list : <Section title={title}>{list}</Section>;
}
