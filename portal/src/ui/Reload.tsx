import { useEffect } from 'react';
import { Loading } from './Loading.tsx';

/** Loads the page of the current address anew, because another application shows it. */
export function Reload() {
  useEffect(() => window.location.reload(), []);
  return <Loading />;
}
