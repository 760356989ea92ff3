/** A response in the bytes of a connection, with one character per byte. */
interface RawResponse {
  status: number;
  head: string;
  /** Where the bytes after the response begin. */
  end: number;
}

const lastChunk = '\r\n0\r\n\r\n';

/** Finds the response that begins here. Returns undefined if there is none, or if it is not complete yet. */
export function readResponse(received: string, at = 0): RawResponse | undefined {
  const headEnd = received.indexOf('\r\n\r\n', at) + 4;
  const head = received.slice(at, headEnd);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (headEnd < 4 || Number.isNaN(status)) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  let end = headEnd + Number(status < 200 || status === 204 ? 0 : length);
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    const last = received.indexOf(lastChunk, headEnd - 2);
    end = last < 0 ? Number.NaN : last + lastChunk.length;
  }
  return end <= received.length ? { status, head, end } : undefined;
}
