import './app.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { watchUpdates } from './device/updates.ts';
import { ReaderProvider } from './reader.tsx';
import { reconnect, start } from './state.ts';

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no #root.');

const hourMillis = 3_600_000;
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && reconnect());
window.addEventListener('pageshow', ({ persisted }) => persisted && reconnect());
window.addEventListener('online', reconnect);
// A page that stays open for days still has the next ticket before the first.
setInterval(reconnect, 6 * hourMillis);
watchUpdates();
void start();

createRoot(place).render(
  <ReaderProvider>
    <App />
  </ReaderProvider>,
);
