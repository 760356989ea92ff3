import {
  ActionIcon,
  Anchor,
  Box,
  Breadcrumbs,
  Card,
  Collapse,
  Group,
  type GroupProps,
  Stack,
  Text,
  Title,
  Tooltip,
} from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { Link, useLocation } from 'react-router';
import { guideAddress, guideOf } from '../app/guides.ts';
import { useLanguage } from '../app/i18n/language.tsx';
import { useReader } from '../app/i18n/reader.ts';
import { useHeadingFocus } from '../app/navigation-focus.ts';
import type { Icon } from './icon.tsx';
import { IconChevronDown, IconChevronRight, IconHelpCircle } from './icons.gen.ts';
import { Hint } from './text.tsx';

interface Props {
  title: string;
  /** One sentence that describes the purpose of the page. */
  description?: ReactNode;
  /** The pages above this one. */
  parents?: readonly { title: string; to: string }[];
  /** Shown beside the title, such as a status. */
  aside?: ReactNode;
  /** Buttons at the right end. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Renders a question mark that opens the guide of the page, in the language of the portal. */
function GuideLink() {
  const { t } = useReader();
  const { language } = useLanguage();
  const { pathname } = useLocation();
  return (
    <Tooltip label={t('openGuide')}>
      <ActionIcon
        component="a"
        href={guideAddress(guideOf(pathname), language)}
        target="_blank"
        variant="subtle"
        color="gray"
        aria-label={t('openGuide')}
      >
        <IconHelpCircle size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Renders the frame of a page: browser title, breadcrumbs, heading, guide and actions. */
export function Page({ title, description, parents = [], aside, actions, children }: Props) {
  const { t } = useReader();
  const heading = useHeadingFocus();
  return (
    <div className="page">
      <title>{`${title} · ${t('brand')}`}</title>
      <Stack gap={6}>
        {parents.length > 0 && (
          <nav aria-label={t('breadcrumbs')}>
            {/* One line, however long the names are and whenever they arrive: the page below must not move. */}
            <Breadcrumbs
              separatorMargin={6}
              style={{ flexWrap: 'nowrap' }}
              styles={{ breadcrumb: { lineHeight: 1.4 }, separator: { flexShrink: 0 } }}
            >
              {parents.map((parent) => (
                <Anchor key={parent.to} component={Link} to={parent.to} truncate title={parent.title}>
                  {parent.title}
                </Anchor>
              ))}
              <Text c="dimmed" truncate aria-current="page">
                {title}
              </Text>
            </Breadcrumbs>
          </nav>
        )}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Box miw={0}>
            <Group gap="sm">
              <Title order={1} ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
                {title}
              </Title>
              {aside}
              <GuideLink />
            </Group>
            {description && (
              <Text c="dimmed" mt={4} maw={680} visibleFrom="sm">
                {description}
              </Text>
            )}
          </Box>
          {actions && (
            <Group gap="xs" className="page-actions">
              {actions}
            </Group>
          )}
        </Group>
      </Stack>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  /** Shown at the right end of the heading. */
  aside?: ReactNode;
  /** For tables and lists that extend to the edges. */
  flush?: boolean;
  /** Whether it is as high as its neighbour. */
  isTall?: boolean;
  children: ReactNode;
}

/** Renders a part of a page with its own heading. */
export function Section({ title, aside, flush = false, isTall, children }: SectionProps) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} padding={flush ? 0 : 'lg'} {...(isTall ? { h: '100%' } : {})}>
      <Group justify="space-between" gap="xs" mb="sm" {...(flush ? { px: 'lg', pt: 'lg' } : {})}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Card>
  );
}

interface PlainSectionProps extends Pick<GroupProps, 'align'> {
  title: string;
  hint?: ReactNode;
  /** Shown at the right end of the heading. */
  aside?: ReactNode;
  id?: string;
  children: ReactNode;
}

/** Renders a part of a page whose content brings its own frame. */
export function PlainSection({ title, hint, aside, id, align = 'flex-end', children }: PlainSectionProps) {
  const heading = useId();
  return (
    <Stack component="section" gap="sm" aria-labelledby={heading} {...(id ? { id } : {})}>
      <Group justify="space-between" gap="xs" align={align}>
        <div>
          <Title order={2} id={heading}>
            {title}
          </Title>
          {hint && <Hint>{hint}</Hint>}
        </div>
        {aside}
      </Group>
      {children}
    </Stack>
  );
}

/** Whether the window is at least this wide, also when the page is first rendered. */
export const useIsWide = (width: '48em' | '62em') =>
  useMediaQuery(`(min-width: ${width})`, undefined, { getInitialValueInEffect: false });

interface ExpanderProps {
  label: string;
  /** Tells those with the same label apart. */
  name?: string;
  size?: 'xs' | 'sm';
  /** Shown after the label. */
  beside?: ReactNode;
  children: ReactNode;
}

/** Renders a label that shows and hides what belongs to it. */
export function Expander({ label, name, size = 'xs', beside, children }: ExpanderProps) {
  const [opened, { toggle }] = useDisclosure(false);
  const Arrow = opened ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Group gap="4px 12px">
        <Anchor component="button" type="button" size={size} onClick={toggle} aria-expanded={opened} aria-label={name}>
          <Group gap={2} wrap="nowrap" component="span">
            <Arrow size={13} aria-hidden /> {label}
          </Group>
        </Anchor>
        {beside}
      </Group>
      <Collapse expanded={opened} keepMounted={false}>
        {children}
      </Collapse>
    </>
  );
}

interface StatProps {
  label: string;
  value: ReactNode;
  hint?: ReactNode;
  icon?: Icon;
}

/** Renders one figure with its label. */
export function Stat({ label, value, hint, icon: Picture }: StatProps) {
  return (
    <Card padding="md">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text c="dimmed" fw={500}>
          {label}
        </Text>
        {Picture && <Picture size={18} stroke={1.6} color="var(--mantine-color-dimmed)" aria-hidden />}
      </Group>
      <Text fz={22} fw={650} className="figures" mt={2} lh={1.3}>
        {value}
      </Text>
      {hint && (
        <Text size="xs" c="dimmed" mt={2}>
          {hint}
        </Text>
      )}
    </Card>
  );
}
