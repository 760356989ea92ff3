import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const rail: MantineColorsTuple = [
  '#e8f6f6',
  '#d2ebec',
  '#a4d6d8',
  '#74c0c3',
  '#4aabb0',
  '#2b979d',
  '#198088',
  '#0f6b74',
  '#0a5962',
  '#06454c',
];

/** A grey with a slight tint of the brand colour, so that dark pages do not look like holes. */
const dark: MantineColorsTuple = [
  '#d6dddf',
  '#bac4c7',
  '#9ba8ac',
  '#76858a',
  '#3f4c51',
  '#313d42',
  '#263136',
  '#1a2327',
  '#141b1e',
  '#0e1315',
];

export const theme = createTheme({
  colors: { rail, dark },
  black: '#14232a',
  primaryColor: 'rail',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.125rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.45' },
    },
  },
  components: {
    // Fields that may stay empty say so.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // Most text of the pages is small.
    Text: { defaultProps: { size: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 'sm', fz: 'sm' } },
    Card: { defaultProps: { withBorder: true, padding: 'lg' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Badge: { defaultProps: { tt: 'none', fw: 600, variant: 'light' } },
    // Removes the focus placeholder, an element in the menu that is not a menu item. Without it the first item gets the
    // focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    ModalTitle: { defaultProps: { fw: 650, fz: 'lg', lh: 1.35 } },
    // A header outside the page's own header is not the banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45, blur: 2 } } },
  },
});

/** Text colours on tinted backgrounds, in badges and alerts, on light pages. */
const inks = {
  rail: '#074f57',
  teal: '#075e46',
  blue: '#124f91',
  red: '#9b1c1c',
  orange: '#8a3300',
  yellow: '#6f4400',
  gray: '#3d474f',
};

const tints = (share: number, inkOf: (name: keyof typeof inks) => string) =>
  Object.fromEntries(
    (Object.keys(inks) as (keyof typeof inks)[]).flatMap((name) => {
      const ground = (percent: number) => `color-mix(in srgb, var(--mantine-color-${name}-6) ${percent}%, transparent)`;
      return [
        [`--mantine-color-${name}-light`, ground(share)],
        [`--mantine-color-${name}-light-hover`, ground(share + 6)],
        [`--mantine-color-${name}-light-color`, inkOf(name)],
      ];
    }),
  );

/** Overrides the library's colours for dimmed and tinted text, which have too little contrast in small sizes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#52606d',
    '--mantine-color-placeholder': '#6b7780',
    '--mantine-color-error': '#c92a2a',
    ...tints(13, (name) => inks[name]),
    '--portal-canvas': '#f5f8f8',
    '--portal-line': '#dde5e6',
  },
  dark: {
    '--mantine-color-dimmed': '#a3b0b4',
    '--mantine-color-placeholder': '#8b999d',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': 'var(--mantine-color-rail-3)',
    // The library's default is the colour of cards, on which a disabled button looks like plain text.
    '--mantine-color-disabled': 'var(--mantine-color-dark-5)',
    ...tints(18, (name) => `var(--mantine-color-${name}-2)`),
    '--portal-canvas': '#141b1e',
    '--portal-line': '#2c373c',
  },
});
