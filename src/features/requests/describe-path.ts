/** Matches ids that cannot be personal: numbers, days, months and UUIDs. */
const plainId = /^(?:\d{1,18}|\d{4}-\d{2}(?:-\d{2})?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

const maxPathLength = 300;

export interface DescribedRequest {
  /** The pattern of the route, such as `/v1/employees/:id`. */
  route: string;
  /** The path and the query as sent. */
  url: string;
  status: number;
}

/**
 * Returns the path with its ids. Any text can be sent instead of an id, also an email address. So a value that is not
 * plain appears only if the request succeeded: it then names a record of the company.
 */
function describeIds(route: string, path: string, status: number): string {
  if (!route.includes(':')) return route;
  if (status < 400) return path;
  const sent = path.split('/');
  return route
    .split('/')
    .map((part, index) => {
      const value = sent[index] ?? '';
      return part.startsWith(':') && plainId.test(value) ? value : part;
    })
    .join('/');
}

/** Values of these parameters are numbers and never personal. */
const shownValues = /^(?:page|perPage)=\d{1,9}$/;

/** Returns the names of the known parameters. Values are left out: they contain names and email addresses. */
function describeQuery(query: string, known: ReadonlySet<string>): string {
  const parts = new Set<string>();
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    parts.add(shownValues.test(part) ? part : known.has(name) ? `${name}=…` : '…');
  }
  return [...parts].join('&');
}

/** Returns the path of a request as the log shows it: with ids, and without any value that may be personal data. */
export function describePath({ route, url, status }: DescribedRequest, known: ReadonlySet<string>): string {
  const at = url.indexOf('?');
  const path = describeIds(route, at < 0 ? url : url.slice(0, at), status);
  const query = at < 0 || at === url.length - 1 ? '' : `?${describeQuery(url.slice(at + 1), known)}`;
  return (path + query).slice(0, maxPathLength);
}
