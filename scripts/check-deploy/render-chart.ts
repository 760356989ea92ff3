import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

/**
 * Renders the chart where Helm is not installed. Understands the few parts of Go's templates that the chart uses, and throws at
 * anything else, including values that do not exist.
 */

type Value = unknown;

interface Block {
  kind: 'if' | 'range' | 'define' | 'else' | 'end' | 'print';
  expression: string;
}

type Node = string | { kind: 'print' | 'if' | 'range'; expression: string; body: Node[]; otherwise: Node[] };

/** Splits a template into text and actions. A dash next to the braces removes the space on its side. */
function tokenize(template: string): (string | Block)[] {
  const withoutComments = template.replaceAll(/\{\{(- )?\/\*[\s\S]*?\*\/( -)?\}\}/g, '');
  const trimmed = withoutComments.replaceAll(/\s*\{\{- /g, '{{ ').replaceAll(/ -\}\}\s*/g, ' }}');
  return trimmed.split(/(\{\{[\s\S]*?\}\})/).map((part) => {
    const [, action] = /^\{\{\s*([\s\S]*?)\s*\}\}$/.exec(part) ?? [];
    if (action === undefined) return part;
    const [, kind = 'print', expression = action] = /^(if|range|define|else|end)\b\s*(.*)$/.exec(action) ?? [];
    return { kind, expression } as Block;
  });
}

/** Reads nodes until the `else` or `end` of the block. */
function parseBody(tokens: (string | Block)[], defined: Map<string, Node[]>): { body: Node[]; end: string } {
  const body: Node[] = [];
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (typeof token === 'string') body.push(token);
    else if (token.kind === 'end' || token.kind === 'else') return { body, end: token.kind };
    else if (token.kind === 'define') defined.set(JSON.parse(token.expression), parseBody(tokens, defined).body);
    else if (token.kind === 'print') body.push({ ...token, kind: 'print', body: [], otherwise: [] });
    else {
      const first = parseBody(tokens, defined);
      const otherwise = first.end === 'else' ? parseBody(tokens, defined).body : [];
      body.push({ kind: token.kind, expression: token.expression, body: first.body, otherwise });
    }
  }
  return { body, end: '' };
}

interface Scope {
  dot: Value;
  variables: Record<string, Value>;
  defined: Map<string, Node[]>;
}

/** As Go does: false, 0, and anything empty. */
const isEmpty = (value: Value) => !value || (typeof value === 'object' && Object.keys(value as object).length === 0);

function readPath(start: Value, path: string): Value {
  return path
    .split('.')
    .filter(Boolean)
    .reduce((value, name) => {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
        throw new Error(`There is no ${path}.`);
      return (value as Record<string, Value>)[name];
    }, start);
}

function readOperand(word: string, { dot, variables }: Scope): Value {
  if (/^("|\d)/.test(word)) return JSON.parse(word);
  if (word.startsWith('.')) return readPath(dot, word);
  if (word.startsWith('$')) return readPath(variables, word.slice(1));
  throw new Error(`The checks do not know "${word}": add it to render-chart.ts, or write the template without it.`);
}

function call(name: string, args: Value[], scope: Scope): Value {
  const [first, second] = args;
  if (name === 'include') {
    const body = scope.defined.get(String(first));
    if (body === undefined) throw new Error(`There is no template "${first}".`);
    return renderNodes(body, { ...scope, dot: second, variables: {} });
  }
  if (name === 'nindent') return `\n${String(second).replaceAll(/^(?!$)/gm, ' '.repeat(Number(first)))}`;
  if (name === 'toYaml') return stringify(first).trimEnd();
  if (name === 'quote') return JSON.stringify(String(first));
  if (name === 'default') return isEmpty(second) ? first : second;
  throw new Error(`The checks do not know the function "${name}": add it to render-chart.ts.`);
}

/** Evaluates a pipeline: each result is the last argument of the next function. */
function evaluate(expression: string, scope: Scope): Value {
  let result: Value;
  for (const [index, command] of expression.split(/\s\|\s/).entries()) {
    const [head = '', ...rest] = command.trim().match(/"[^"]*"|\S+/g) ?? [];
    const piped = index === 0 ? [] : [result];
    if (/^[a-z]/i.test(head)) result = call(head, [...rest.map((word) => readOperand(word, scope)), ...piped], scope);
    else result = readOperand(head, scope);
  }
  return result;
}

function renderRange(node: Exclude<Node, string>, scope: Scope): string {
  const [, key = '', value = '', source = ''] = /^\$(\w+), \$(\w+) := (.+)$/.exec(node.expression) ?? [];
  const entries = Object.entries(evaluate(source, scope) as object).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const inScope = (entry: [string, Value]) => ({ ...scope, variables: { [key]: entry[0], [value]: entry[1] } });
  return entries.map((entry) => renderNodes(node.body, inScope(entry))).join('');
}

function renderNodes(nodes: readonly Node[], scope: Scope): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      if (node.kind === 'print') return String(evaluate(node.expression, scope));
      if (node.kind === 'range') return renderRange(node, scope);
      return renderNodes(isEmpty(evaluate(node.expression, scope)) ? node.otherwise : node.body, scope);
    })
    .join('');
}

const merge = (base: Value, over: Value): Value =>
  isMap(base) && isMap(over)
    ? { ...base, ...Object.fromEntries(Object.entries(over).map(([name, value]) => [name, merge(base[name], value)])) }
    : over;
const isMap = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the values of the chart with these changes. */
export const mergeValues = (chart: string, values: Value): Value =>
  merge(parse(readFileSync(join(chart, 'values.yaml'), 'utf8')), values);

/** Returns each template of the chart by its name, rendered with its default values and these changes. */
export function renderChart(chart: string, values: Value): Record<string, string> {
  const { name, version, appVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
  const dot = {
    Values: mergeValues(chart, values),
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: 'transit', Service: 'Helm' },
  };
  const defined = new Map<string, Node[]>();
  const files = readdirSync(join(chart, 'templates')).toSorted();
  const parsed = files.map((file) => {
    const tokens = tokenize(readFileSync(join(chart, 'templates', file), 'utf8'));
    return [file, parseBody(tokens, defined).body] as const;
  });
  const templates = parsed.filter(([file]) => file.endsWith('.yaml'));
  return Object.fromEntries(
    templates.map(([file, body]) => [file, renderNodes(body, { dot, variables: {}, defined })]),
  );
}
