import { Box, FileButton, Group, Image } from '@mantine/core';
import { logoLimits } from '../../../../src/domain/choices.ts';
import type { Logo } from '../../../../src/features/companies/contract.ts';
import { useGet, usePost } from '../../app/api/queries.ts';
import { readBase64 } from '../../app/api/request.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { IconPhoto, IconTrash } from '../../ui/icons.gen.ts';
import { Section } from '../../ui/layout.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Query } from '../../ui/Query.tsx';
import { Hint } from '../../ui/text.tsx';
import { texts } from './texts.ts';

/** The picture on the letters to employees. */
export function LogoSection() {
  const { t } = useReader(texts);
  const save = usePost<Logo, Logo>('/settings/logo', ['logo', 'activity']);
  const choose = async (file: File | null) => file && save.mutate({ content: await readBase64(file) });
  return (
    <Section title={t('logo')}>
      {/* As high as a logo from the start, so that nothing below moves when it arrives. */}
      <Box mih={68}>
        <Query of={useGet<Logo>(['logo'], '/settings/logo')} skeleton={false}>
          {({ content }) => (
            <Group gap="md" mb="sm">
              {content !== null && (
                <Image
                  src={`data:image/png;base64,${content}`}
                  alt={t('logo')}
                  h={56}
                  w="auto"
                  maw={240}
                  fit="contain"
                />
              )}
              <FileButton
                accept="image/png"
                onChange={(file) => void choose(file)}
                inputProps={{ 'aria-label': t('chooseLogo') }}
              >
                {(props) => (
                  <Action
                    {...props}
                    variant="default"
                    icon={IconPhoto}
                    loading={save.isPending}
                    label={t('chooseLogo')}
                  />
                )}
              </FileButton>
              {content !== null && (
                <Action
                  variant="default"
                  icon={IconTrash}
                  onClick={() => save.mutate({ content: null })}
                  label={t('removeLogo')}
                />
              )}
            </Group>
          )}
        </Query>
      </Box>
      {save.error && <ProblemAlert error={save.error} />}
      <Hint>{t('logoHint', { kilobytes: logoLimits.bytes / 1024, pixels: logoLimits.pixelsPerSide })}</Hint>
    </Section>
  );
}
