import type { ComponentType, SVGProps } from 'react';

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  size?: number;
  /** The width of its lines. */
  stroke?: number;
}

export type Icon = ComponentType<IconProps>;

/** Returns an icon that draws the lines of a path on a square of 24 units. */
export const createIcon =
  (path: string): Icon =>
  ({ size = 24, stroke = 2, color = 'currentColor', ...rest }) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: whoever shows it gives it a label or hides it.
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke={color}
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      <path d={path} />
    </svg>
  );
