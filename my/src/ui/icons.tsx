import type { ReactNode } from 'react';

/** Icons of our own: a stroke of 1.75 on a grid of 24. Text beside them says what they mean. */
const Icon = ({ children, size = 22 }: { children: ReactNode; size?: number | undefined }) => (
  <svg
    className="icon"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {children}
  </svg>
);

const paths = {
  ticket:
    'M4 7h16a1 1 0 0 1 1 1v2a2 2 0 0 0 0 4v2a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-2a2 2 0 0 0 0-4V8a1 1 0 0 1 1-1zM14.5 7.5v9',
  subscription:
    'M5 6h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM4 10.5h16M8.5 3.5V7M15.5 3.5V7M9 15l2 2 4-4',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.500l4.5 4.500L19 7',
  pause: 'M8.5 5.500v13M15.5 5.500v13',
  play: 'M7.5 5l11 7-11 7z',
  stop: 'M6.5 6.500h11v11h-11z',
  plus: 'M12 5v14M5 12h14',
  undo: 'M9 7L4.5 11.5 9 16M5 11.500h9.500a5 5 0 0 1 0 10H12',
  download: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.500M5 20h14',
  file: 'M7 3.500h7l4.5 4.500v12.500h-11.500zM13.5 3.500V8.500h5M10 13h5.500M10 16.500h5.5',
  mail: 'M4 6h16v12.500H4zM4.5 6.500l7.5 6.5 7.5-6.5',
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
  scan: 'M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3M8 12h8',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v1.500M12 19.500V21M3 12h1.500M19.5 12H21M5.6 5.600l1 1M17.4 17.400l1 1M18.4 5.600l-1 1M6.6 17.400l-1 1',
  cloudOff: 'M4 4l16 16M8.5 8A5.5 5.5 0 0 0 6 18.500h11M10.5 6.700A5.5 5.5 0 0 1 16.8 11 4 4 0 0 1 19.5 17.5',
  alert: 'M12 4l9 16H3zM12 10.500v4M12 17.300v.2',
  wallet: 'M5 7h14a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2h11M16 13h.5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
} as const;

export type IconName = keyof typeof paths;

export const icon = (name: IconName, size?: number) => (
  <Icon size={size}>
    <path d={paths[name]} />
  </Icon>
);
