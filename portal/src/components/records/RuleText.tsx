import { Text, type TextProps } from '@mantine/core';
import { useWords } from '../../i18n/words.ts';

/** Renders the rule that decided, in the page's language if it is translated, otherwise as stored. */
export function RuleText({ rule, detail, ...props }: { rule: string; detail: string } & TextProps) {
  const translated = useWords().rule[rule];
  return (
    <Text size="sm" {...props} {...(translated === undefined && { lang: 'en' })}>
      {translated ?? detail}
    </Text>
  );
}
