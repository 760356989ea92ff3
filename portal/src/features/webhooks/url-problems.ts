/** The text of the page for each message about a URL. They say more than the message: what the page can do about it. */
const problems = {
  'value-too-long': 'urlTooLong',
  'url-not-url': 'urlNotUrl',
  'url-not-https': 'urlNotHttps',
  'url-not-https-in-production': 'urlNotHttps',
  'url-credentials': 'urlCredentials',
  'url-fragment': 'urlFragment',
  'url-port': 'urlPort',
  'url-private': 'urlPrivate',
} as const;

/** Returns the key of the text for a problem of the URL. Undefined: the page shows what the API says. */
export const findUrlProblem = (key: string) => (problems as Readonly<Partial<Record<string, Problem>>>)[key];

type Problem = (typeof problems)[keyof typeof problems];
