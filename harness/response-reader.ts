interface CompleteResponse {
  status: number;
  head: string;
}

const headEnd = '\r\n\r\n';
const lastChunk = '\r\n0\r\n\r\n';

/** Returns how many bytes follow the head, or undefined if their number is not known. */
function bodyBytes(status: number, head: string): number | undefined {
  if (status === 204 || status === 304) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  return length === undefined ? undefined : Number(length);
}

/** Reads one response of a connection that has one request at a time. Of the body it counts the bytes. */
export function createResponseReader() {
  let head = '';
  let status: number | undefined;
  let left: number | undefined;
  /** The last bytes, if the body consists of chunks. The head ends with the line break that an empty body lacks. */
  let end = '\r\n';

  /** Returns the bytes of the body that this chunk begins, or undefined if the head is not complete. */
  function readHead(chunk: Buffer): Buffer | undefined {
    const before = head.length;
    head += chunk.toString('latin1');
    const at = head.indexOf(headEnd);
    if (at < 0) return undefined;
    head = head.slice(0, at + headEnd.length);
    status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    left = bodyBytes(status, head);
    return chunk.subarray(head.length - before);
  }

  return {
    /** Returns the response if this chunk completes it. */
    read(chunk: Buffer): CompleteResponse | undefined {
      const body = status === undefined ? readHead(chunk) : chunk;
      if (body === undefined || status === undefined) return undefined;
      if (left !== undefined) {
        left -= body.length;
        return left <= 0 ? { status, head } : undefined;
      }
      end = (end + body.toString('latin1', Math.max(0, body.length - lastChunk.length))).slice(-lastChunk.length);
      return end === lastChunk ? { status, head } : undefined;
    },
  };
}
