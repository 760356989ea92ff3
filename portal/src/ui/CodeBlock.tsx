import { Box } from '@mantine/core';
import { CopyIcon } from './CopyIcon.tsx';

/** Renders a command or a piece of JSON that is ready to paste. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <Box pos="relative" component="figure" m={0} aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll it by keyboard. */}
      <pre className="code-block" tabIndex={0}>
        <code>{code}</code>
      </pre>
      <Box pos="absolute" top={0} right={0} pt={8} px={10} pb={4} className="code-copy">
        <CopyIcon value={code} />
      </Box>
    </Box>
  );
}
