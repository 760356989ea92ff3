/** Parts of what the API says about a wrong URL, with the text of the page that says the same in the user's language. */
const problems = [
  ['at most', 'urlTooLong'],
  ['must be a URL', 'urlNotUrl'],
  ['must start with https', 'urlNotHttps'],
  ['credentials', 'urlCredentials'],
  ['fragment', 'urlFragment'],
  ['must use port', 'urlPort'],
  ['public address', 'urlPrivate'],
] as const;

/** Returns the key of the text for a problem of the URL. Undefined: the page shows what the API says. */
export const findUrlProblem = (detail: string) => problems.find(([part]) => detail.includes(part))?.[1];
