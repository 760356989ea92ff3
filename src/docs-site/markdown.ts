import MarkdownIt from 'markdown-it';

export interface Heading {
  id: string;
  text: string;
}

export interface Rendered {
  title: string;
  headings: Heading[];
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

const plainText = (inline: Token | undefined) =>
  (inline?.children ?? []).map(({ type, content }) => (/^(text|code_inline)$/.test(type) ? content : '')).join('');

/** Returns the anchor that Git hosts give to a heading, so that links to it work there and here. */
export const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function nameHeadings(tokens: Token[]): { title: string; headings: Heading[] } {
  let title = '';
  const headings: Heading[] = [];
  const uses = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = plainText(tokens[index + 1]);
    const anchor = anchorOf(text);
    const used = uses.get(anchor) ?? 0;
    uses.set(anchor, used + 1);
    const id = used === 0 ? anchor : `${anchor}-${used}`;
    token.attrSet('id', id);
    if (token.tag === 'h1') title ||= text;
    if (token.tag === 'h2') headings.push({ id, text });
  }
  return { title, headings };
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

/** Renders a page of Markdown with anchors. Comments at its top are omitted. */
export function renderMarkdown(source: string, resolve: ResolveLink = (href) => href): Rendered {
  const tokens = markdown.parse(source.replaceAll(/^<!--.*?-->\s*/gs, ''), {});
  const { title, headings } = nameHeadings(tokens);
  for (const token of tokens) {
    alignCell(token);
    if (token.type !== 'inline') continue;
    resolveLinks(token.children ?? [], resolve);
    showCheckBoxes(token);
  }
  return { title, headings, html: markdown.renderer.render(tokens, markdown.options, {}) };
}

export const renderText = (source: string) => renderMarkdown(source).html;

export const renderInline = (source: string) => markdown.renderInline(source);
