/** Where somebody may be typing, or where an address holds a secret: these are never reloaded. */
const isInterruptible = () => /^\/my(\/(subscription|data))?\/?$/.test(window.location.pathname);

/** Whether this page was controlled when it was opened. The first service worker changes nothing that is shown. */
let wasControlled = false;

/**
 * Installs the service worker, and replaces this version by a new one when nobody looks or nothing can be lost: when the
 * page is opened, or goes out of view.
 */
export function watchUpdates(): void {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined || import.meta.env.DEV) return;
  wasControlled = serviceWorker.controller !== null;
  let isOutdated = false;
  const reloadIfPossible = () => {
    if (isOutdated && isInterruptible()) window.location.reload();
  };
  serviceWorker.addEventListener('controllerchange', () => {
    isOutdated = wasControlled;
    wasControlled = true;
    if (document.visibilityState === 'hidden' || performance.now() < 5_000) reloadIfPossible();
  });
  serviceWorker
    .register('/my/service-worker.js', { scope: '/my' })
    .then((registration) => {
      const activate = () => registration.waiting?.postMessage('activate');
      // Opened a moment ago: nothing has been typed.
      if (isInterruptible()) activate();
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') void registration.update().catch(() => {});
        else {
          if (isInterruptible()) activate();
          reloadIfPossible();
        }
      });
      return requestDailyRefresh(registration);
    })
    // Without it, the page works as long as there is a network.
    .catch(() => {});
  // A file of the version before, which the service no longer has.
  window.addEventListener('vite:preloadError', reloadIfPossible);
}

/** Lets the browser fetch the next ticket while the page is closed, where installed apps may. */
async function requestDailyRefresh(registration: ServiceWorkerRegistration): Promise<void> {
  if (!('periodicSync' in registration)) return;
  const { periodicSync } = registration as { periodicSync: { register(tag: string, options: object): Promise<void> } };
  await periodicSync.register('tickets', { minInterval: 20 * 3_600_000 }).catch(() => {});
}
