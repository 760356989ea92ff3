/** How far an upload is: bytes sent, or entries that the service has planned of all it has read. */
export interface UploadProgress {
  phase: 'sending' | 'planning';
  done: number;
  total: number;
}

const linesType = 'application/x-ndjson';

/** Reports what the complete lines of a response say. Its last line is the response itself. */
function reportLines(text: string, report: (progress: UploadProgress) => void): void {
  const [line] = text.split('\n').slice(0, -1).slice(-1);
  if (line === undefined) return;
  const { planned, entries } = JSON.parse(line) as { planned?: number; entries?: number };
  if (planned !== undefined && entries !== undefined) report({ phase: 'planning', done: planned, total: entries });
}

const headersOf = (request: XMLHttpRequest) =>
  new Headers(
    request
      .getAllResponseHeaders()
      .trim()
      .split('\r\n')
      .filter((line) => line !== '')
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );

/** Returns a `fetch` for uploads that reports its progress, which the one of the browser does not. */
export const createUploadingFetch =
  (report: (progress: UploadProgress) => void): typeof fetch =>
  (url, { method = 'POST', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, String(url));
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.setRequestHeader('accept', `${linesType}, application/json`);
      const isLines = () => request.getResponseHeader('content-type')?.startsWith(linesType) === true;
      request.upload.onprogress = ({ loaded, total }) => report({ phase: 'sending', done: loaded, total });
      request.onprogress = () => isLines() && reportLines(request.responseText, report);
      request.onload = () => {
        const text = isLines() ? (request.responseText.trimEnd().split('\n').at(-1) ?? '') : request.responseText;
        resolve(new Response(text === '' ? null : text, { status: request.status, headers: headersOf(request) }));
      };
      // As `fetch` rejects.
      request.onerror = () => reject(new TypeError('Failed to send the file.'));
      request.onabort = () => reject(new DOMException('The upload was aborted.', 'AbortError'));
      signal?.addEventListener('abort', () => request.abort());
      request.send(body as XMLHttpRequestBodyInit);
    });
