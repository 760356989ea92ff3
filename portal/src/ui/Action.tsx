import {
  ActionIcon,
  type ActionIconProps,
  Alert,
  type AlertProps,
  Button,
  type ButtonProps,
  Menu,
  Tooltip,
} from '@mantine/core';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'react-router';
import type { Icon } from './icon.tsx';
import { IconDots, IconDownload } from './icons.gen.ts';

type Attributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ButtonProps | 'children'> &
  Pick<AnchorHTMLAttributes<HTMLAnchorElement>, 'target' | 'rel' | 'download'>;

interface ActionProps extends Omit<ButtonProps, 'children'>, Attributes {
  label: ReactNode;
  icon?: Icon;
  /** A page of the portal that it opens. */
  to?: string;
  /** Another address that it opens, such as of a file. */
  href?: string;
  'data-autofocus'?: boolean;
}

/** Renders a button, or a link that looks like one. */
export function Action({ label, icon: Picture, to, href, ...props }: ActionProps) {
  const shared = { ...props, ...(Picture ? { leftSection: <Picture size={16} aria-hidden /> } : {}), children: label };
  // The events of a link are those of a button.
  const ofLink = shared as object;
  if (to !== undefined) return <Button component={Link} to={to} {...ofLink} />;
  return href === undefined ? <Button {...shared} /> : <Button component="a" href={href} {...ofLink} />;
}

/** Renders a button beside text. */
export const SmallAction = (props: ActionProps) => <Action size="compact-sm" variant="default" {...props} />;

/** Renders one sentence that deserves attention. */
export const Notice = ({ text, ...props }: Omit<AlertProps, 'children'> & { text: ReactNode }) => (
  <Alert {...props}>{text}</Alert>
);

interface ActionMenuProps extends Pick<ActionIconProps, 'variant' | 'size'> {
  label: string;
  children: ReactNode;
}

/** Renders three dots that open a menu. */
export const ActionMenu = ({ label, children, ...props }: ActionMenuProps) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" {...props} aria-label={label}>
        <IconDots size={18} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);

interface MenuActionProps {
  label: string;
  icon: Icon;
  onClick(): void;
  isDangerous?: boolean;
}

/** Renders an item of a menu. */
export const MenuAction = ({ label, icon: Picture, onClick, isDangerous }: MenuActionProps) => (
  <Menu.Item
    leftSection={<Picture size={16} aria-hidden />}
    onClick={onClick}
    {...(isDangerous ? { color: 'red' } : {})}
  >
    {label}
  </Menu.Item>
);

interface FileIconProps {
  label: string;
  /** Tells files with the same label apart. */
  name: string;
  href: string;
  icon?: Icon;
  /** Opens the file instead of saving it. */
  isPreview?: boolean;
  visibleFrom?: 'sm';
}

/** Renders a link to a file as an icon. */
export function FileIcon({ label, name, icon: Picture = IconDownload, isPreview, ...props }: FileIconProps) {
  const opened = isPreview ? { target: '_blank', rel: 'noopener' } : { download: true };
  return (
    <Tooltip label={label}>
      <ActionIcon component="a" {...props} {...opened} variant="default" size="lg" aria-label={`${label}: ${name}`}>
        <Picture size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
