import { useFormats } from '../app/i18n/formats.ts';

/** Renders a duration: `850 ms`, `6,4 s`, `2 min 5 s`. */
export function Duration({ millis }: { millis: number | null }) {
  const { number } = useFormats();
  return (
    <span className="figures" style={{ whiteSpace: 'nowrap' }}>
      {millis === null ? '–' : write(millis, number)}
    </span>
  );
}

function write(millis: number, number: (value: number) => string): string {
  if (millis < 1_000) return `${millis} ms`;
  if (millis < 60_000) return `${number(Math.round(millis / 100) / 10)} s`;
  const seconds = Math.round(millis / 1_000);
  return `${number(Math.floor(seconds / 60))} min ${seconds % 60} s`;
}
