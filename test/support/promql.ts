import type { Scrape } from './scrape.ts';

const keywords = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);
/** Labels that Prometheus itself, or the example of its configuration, adds to every series. */
const addedLabels = new Set(['instance', 'job', 'environment', 'le']);

const groupingClause = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/** Returns the metrics that a query reads, each with the names of the labels that it selects by. */
function listSelectors(query: string): { metric: string; labels: string[] }[] {
  const text = query
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(groupingClause, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ');
  return [...text.matchAll(/([a-zA-Z_:][\w:]*)\s*(\{[^}]*\}|\()?/g)].flatMap(([, name = '', rest = '']) => {
    if (rest === '(' || keywords.has(name.toLowerCase())) return [];
    const labels = [...rest.matchAll(/([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    return [{ metric: name, labels }];
  });
}

/** Returns the metrics and labels of a query that the scrape does not have. `up` is Prometheus' own. */
export function findUnknown(query: string, { names, labelsOf }: Scrape): string[] {
  const selectors = listSelectors(query);
  if (selectors.length === 0) return [`no metric in: ${query}`];
  return selectors
    .filter(({ metric }) => metric !== 'up')
    .flatMap(({ metric, labels }) => {
      if (!names.has(metric)) return [metric];
      const known = labelsOf(metric);
      return labels
        .filter((label) => !addedLabels.has(label) && !known.has(label))
        .map((label) => `${metric}{${label}}`);
    });
}
