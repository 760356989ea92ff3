import MarkdownIt from 'markdown-it';

export interface Heading {
  id: string;
  text: string;
}

/** A heading with the text below it, up to the next heading. */
export interface Section extends Heading {
  body: string;
}

export interface Rendered {
  title: string;
  headings: Heading[];
  sections: Section[];
  html: string;
}

/** Returns the address for a link, or undefined if its target is not published. */
export type ResolveLink = (href: string) => string | undefined;

/** Raw HTML is escaped, and links to scripts are not links, so that the output contains only what the parser makes. */
const markdown = new MarkdownIt({ html: false, linkify: false });
type Token = ReturnType<typeof markdown.parse>[number];

// A wide table scrolls by itself. Only what has the focus can be scrolled by keyboard.
markdown.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';

export const escapeHtml = (text: string) => markdown.utils.escapeHtml(text);

/** Renders code that scrolls by itself. A script adds the button that copies it. */
export const renderCode = (code: string) => `<pre tabindex="0"><code>${escapeHtml(code.trimEnd())}</code></pre>\n`;
markdown.renderer.rules.fence = (tokens, index) => renderCode(tokens[index]?.content ?? '');
markdown.renderer.rules.code_block = markdown.renderer.rules.fence;

markdown.renderer.rules.heading_open = (tokens, index, options) => {
  const other = tokens[index]?.meta?.other;
  const anchor = typeof other === 'string' ? `<span id="${escapeHtml(other)}"></span>` : '';
  return markdown.renderer.renderToken(tokens, index, options) + anchor;
};

const plainText = (inline: Token | undefined) =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : /^(text|code_inline)$/.test(type) ? content : ''))
    .join('');

/** Returns the anchor that Git hosts give to a heading, so that links to it work there and here. */
export const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Gives every heading an id, and the id of `others` at its place, so that links to either language work. */
function nameHeadings(tokens: Token[], others: readonly Section[]): Pick<Rendered, 'title' | 'headings' | 'sections'> {
  const headings: Heading[] = [];
  const sections: Section[] = [];
  const uses = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type === 'heading_open') {
      const text = plainText(inline);
      const anchor = anchorOf(text);
      const used = uses.get(anchor) ?? 0;
      uses.set(anchor, used + 1);
      const id = used === 0 ? anchor : `${anchor}-${used}`;
      token.attrSet('id', id);
      const other = others[sections.length]?.id ?? id;
      if (other !== id) token.meta = { other };
      sections.push({ id, text, body: '' });
      if (token.tag === 'h2') headings.push({ id, text });
    } else if (tokens[index - 1]?.type !== 'heading_open' && /^(inline|fence)$/.test(token.type)) {
      const section = sections.at(-1);
      const words = token.type === 'inline' ? plainText(token) : token.content.replaceAll(/\s+/g, ' ');
      if (section !== undefined) section.body += `${section.body === '' ? '' : ' '}${words.trim()}`;
    }
  }
  return { title: sections[0]?.text ?? '', headings, sections };
}

/** Points links at published pages. A link to a file that is not published becomes plain text. */
function resolveLinks(children: Token[], resolve: ResolveLink): void {
  for (const [index, token] of children.entries()) {
    if (token.type !== 'link_open') continue;
    const target = resolve(String(token.attrGet('href')));
    if (target !== undefined) {
      token.attrSet('href', target);
      continue;
    }
    const close = children.slice(index).find(({ type, level }) => type === 'link_close' && level === token.level);
    for (const one of [token, close]) if (one !== undefined) Object.assign(one, { type: 'text', content: '', tag: '' });
  }
}

/** Aligns columns by a class: the policy of the pages allows no style attribute. */
function alignCell(token: Token): void {
  const style = String(token.attrGet('style') ?? '');
  if (style === '') return;
  token.attrs = [['class', style.replace('text-align:', '')]];
}

/** Shows open check boxes as characters: an input without a label says nothing to a screen reader. */
function showCheckBoxes(inline: Token): void {
  const [first] = inline.children ?? [];
  if (first?.type === 'text') first.content = first.content.replace(/^\[ \] /, '☐ ');
}

/** Renders a page of Markdown with anchors, and those of the same page in another language. Comments are omitted. */
export function renderMarkdown(
  source: string,
  resolve: ResolveLink = (href) => href,
  others: readonly Section[] = [],
): Rendered {
  const tokens = markdown.parse(source.replaceAll(/^<!--.*?-->\s*/gms, ''), {});
  const named = nameHeadings(tokens, others);
  for (const token of tokens) {
    alignCell(token);
    if (token.type !== 'inline') continue;
    resolveLinks(token.children ?? [], resolve);
    showCheckBoxes(token);
  }
  return { ...named, html: markdown.renderer.render(tokens, markdown.options, {}) };
}

export const renderText = (source: string) => renderMarkdown(source).html;

export const renderInline = (source: string) => markdown.renderInline(source);
