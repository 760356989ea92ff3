// Runs before the first paint, so that the pages have the appearance that was chosen in the portal.
(() => {
  try {
    const scheme = window.localStorage.getItem('portal-colour-scheme');
    if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme;
  } catch {
    // Without storage, the appearance of the system applies.
  }
})();
