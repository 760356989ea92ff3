// Adds what the pages can do without: buttons that copy code, and search fields that filter a list.

const copyTexts = { de: ['Kopieren', 'Kopiert'], en: ['Copy', 'Copied'] };

/** Adds a button that copies the code beside it. */
function addCopyButton(pre) {
  const [copy, copied] = copyTexts[pre.closest('[lang]').lang];
  const frame = document.createElement('div');
  frame.className = 'code';
  pre.replaceWith(frame);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = copy;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(`${pre.textContent}\n`);
    button.textContent = copied;
    window.setTimeout(() => {
      button.textContent = copy;
    }, 2000);
  });
  frame.append(pre, button);
}

/** Shows only the entries that contain every word of the search, and says how many. */
function addFilter(input) {
  const entries = [...document.querySelectorAll(input.dataset.filter)];
  const count = document.getElementById(input.getAttribute('aria-describedby'));
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = entries.filter((entry) => {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
      return !entry.hidden;
    });
    for (const group of document.querySelectorAll('[data-group]')) {
      group.hidden = group.querySelector(`${input.dataset.filter}:not([hidden])`) === null;
    }
    count.textContent =
      words.length === 0 ? `${entries.length} entries` : `${shown.length} of ${entries.length} entries`;
  };
  input.addEventListener('input', filter);
  input.closest('.search').hidden = false;
  filter();
}

for (const pre of document.querySelectorAll('pre')) addCopyButton(pre);
for (const input of document.querySelectorAll('input[data-filter]')) addFilter(input);

// On a narrow window, the list of pages starts closed.
if (window.matchMedia('(max-width: 60rem)').matches) document.querySelector('.side details').open = false;

// Addresses of the former reference, such as /docs/#tag/events.
const former = /^#tag\/([a-z-]+)/.exec(window.location.hash);
if (window.location.pathname === '/docs/' && former !== null) window.location.replace(`/docs/reference/${former[1]}`);
