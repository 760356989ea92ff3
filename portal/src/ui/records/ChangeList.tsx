import './records.css';
import { Button, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../app/i18n/texts.ts';
import { useFieldValues } from './field-values.ts';
import { texts } from './texts.ts';

interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

const shownAtOnce = 4;

/** Renders the old and new value of one field. If there was no old value, renders only the new one. */
function ChangeLine({ field, from, to }: FieldChange) {
  const t = useTexts(texts);
  const { nameField, formatValue } = useFieldValues();
  const [before, after] = [formatValue(field, from), formatValue(field, to)];
  return (
    <Text component="li" size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span inherit c="dimmed">
        {nameField(field)}:{' '}
      </Text>
      {before !== undefined && (
        <>
          <VisuallyHidden>{t('from')} </VisuallyHidden>
          <Text span inherit c="dimmed" td={after === undefined ? 'line-through' : undefined}>
            {before}
          </Text>
          <span aria-hidden> → </span>
          <VisuallyHidden>, {t('to')} </VisuallyHidden>
        </>
      )}
      <Text span inherit fw={500}>
        {after ?? '–'}
      </Text>
    </Text>
  );
}

/** Renders changed fields with old and new values. A long list starts collapsed. */
export function ChangeList({ changes }: { changes: readonly FieldChange[] }) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  if (changes.length === 0) return null;
  const rest = changes.length - shownAtOnce;
  const isFolded = rest > 1 && !isOpen;
  return (
    <div>
      <ul className="plain-list">
        {(isFolded ? changes.slice(0, shownAtOnce) : changes).map((change) => (
          <ChangeLine key={change.field} {...change} />
        ))}
      </ul>
      {rest > 1 && (
        <Button
          variant="subtle"
          size="compact-xs"
          ml={-8}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
          mt={2}
        >
          {isOpen ? t('less') : t('more', { count: rest })}
        </Button>
      )}
    </div>
  );
}
