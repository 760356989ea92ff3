import { Text, type TextProps } from '@mantine/core';
import { useWords } from '../../i18n/words.ts';

/** The rule that decided, in the language of the page where it is translated, else as it is stored. */
export function RuleText({ rule, detail, ...props }: { rule: string; detail: string } & TextProps) {
  const translated = useWords().rule[rule];
  return (
    <Text size="sm" {...props} {...(translated === undefined && { lang: 'en' })}>
      {translated ?? detail}
    </Text>
  );
}
