import '@mantine/notifications/styles.css';
import { MantineThemeProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useReader } from '../app/i18n/reader.ts';

/**
 * Places notifications so that they do not cover the head of a page, whose buttons the user may need next. Labels their
 * close button in the user's language.
 */
export function Notices() {
  const { t } = useReader();
  const closeButtonProps = { 'aria-label': t('close') };
  return (
    <MantineThemeProvider theme={{ components: { Notification: { defaultProps: { closeButtonProps } } } }}>
      <Notifications position="bottom-right" />
    </MantineThemeProvider>
  );
}
