import { useEffect, useState } from 'react';
import { currentTime, passTime } from '../state.ts';
import { dayIn, untilMidnight } from './clock.ts';

const minuteMillis = 60_000;

/** Returns today where the company is, on the service's clock. It changes at midnight while the page stays open. */
export function useToday(timeZone: string): string {
  const [, setTurn] = useState(0);
  const today = dayIn(currentTime(), timeZone);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turn = () => {
      clearTimeout(timer);
      passTime();
      setTurn((count) => count + 1);
      // A device that slept, or whose clock was set, is noticed within a minute.
      timer = setTimeout(turn, Math.min(untilMidnight(currentTime(), timeZone), minuteMillis));
    };
    turn();
    document.addEventListener('visibilitychange', turn);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', turn);
    };
  }, [timeZone]);
  return today;
}
