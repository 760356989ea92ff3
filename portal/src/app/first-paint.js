// Runs before the first paint, so that a dark page does not flash white and a screen reader knows the language.
(() => {
  const stored = (key) => {
    try {
      return window.localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const scheme = stored('portal-colour-scheme');
  const systemScheme = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  root.dataset.mantineColorScheme = scheme === 'light' || scheme === 'dark' ? scheme : systemScheme;
  const language = stored('portal-language') ?? navigator.language.slice(0, 2);
  root.lang = language === 'de' ? 'de' : 'en';
})();
