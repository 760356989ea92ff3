import { MantineThemeProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useCommonTexts } from '../i18n/common.ts';

/**
 * Where notifications appear: not above the head of a page, whose buttons one may want next. Their close button has a name in
 * the reader's language.
 */
export function Notices() {
  const t = useCommonTexts();
  const closeButtonProps = { 'aria-label': t('close') };
  return (
    <MantineThemeProvider theme={{ components: { Notification: { defaultProps: { closeButtonProps } } } }}>
      <Notifications position="bottom-right" />
    </MantineThemeProvider>
  );
}
