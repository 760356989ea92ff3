import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives spans as an OpenTelemetry collector does: protobuf over HTTP. Decodes only the fields that tests read. */

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty: the span is the root of its trace. */
  parentSpanId: string;
  name: string;
  /** 2: server, 3: client, 5: consumer. */
  kind: number;
  attributes: Record<string, string | number>;
  /** The ids of the spans that this one links to. */
  links: string[];
  /** 2: failed. */
  status: number;
  service: Record<string, string | number>;
}

type Value = Buffer | number;
/** The values of a message by field number. */
type Message = Map<number, Value[]>;

function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let [value, factor, end] = [0, 1, start];
  for (;;) {
    const byte = bytes.readUInt8(end++);
    value += (byte & 127) * factor;
    factor *= 128;
    if (byte < 128) return { value, end };
  }
}

function readValue(bytes: Buffer, wireType: number, start: number): { value: Value; end: number } {
  if (wireType === 0) return readVarint(bytes, start);
  if (wireType === 1) return { value: Number(bytes.readBigUInt64LE(start)), end: start + 8 };
  if (wireType === 5) return { value: bytes.readUInt32LE(start), end: start + 4 };
  const length = readVarint(bytes, start);
  const end = length.end + length.value;
  return { value: bytes.subarray(length.end, end), end };
}

function decode(bytes: Buffer): Message {
  const message: Message = new Map();
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at);
    const { value, end } = readValue(bytes, tag.value & 7, tag.end);
    const field = tag.value >>> 3;
    message.set(field, [...(message.get(field) ?? []), value]);
    at = end;
  }
  return message;
}

const all = (message: Message, field: number) => (message.get(field) ?? []) as Buffer[];
const messages = (message: Message, field: number) => all(message, field).map(decode);
const hex = (message: Message, field: number) => all(message, field)[0]?.toString('hex') ?? '';
const text = (message: Message, field: number) => all(message, field)[0]?.toString() ?? '';
const number = (message: Message, field: number) => Number(message.get(field)?.[0] ?? 0);

function decodeAttributes(message: Message, field: number): Record<string, string | number> {
  const pairs = messages(message, field).map((pair) => {
    const [value = new Map()] = messages(pair, 2);
    return [text(pair, 1), value.has(1) ? text(value, 1) : number(value, 3)] as const;
  });
  return Object.fromEntries(pairs);
}

const decodeSpan = (span: Message, service: ReceivedSpan['service']): ReceivedSpan => ({
  traceId: hex(span, 1),
  spanId: hex(span, 2),
  parentSpanId: hex(span, 4),
  name: text(span, 5),
  kind: number(span, 6),
  attributes: decodeAttributes(span, 9),
  links: messages(span, 13).map((link) => hex(link, 2)),
  status: messages(span, 15).map((status) => number(status, 3))[0] ?? 0,
  service,
});

function decodeSpans(body: Buffer): ReceivedSpan[] {
  return messages(decode(body), 1).flatMap((resourceSpans) => {
    const service = messages(resourceSpans, 1).map((resource) => decodeAttributes(resource, 1))[0] ?? {};
    return messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2).map((span) => decodeSpan(span, service)));
  });
}

/** Starts a collector on loopback. It answers with the status in `responds.status`. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: Record<string, unknown>; body: Buffer }[] = [];
  const responds = { status: 200 };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    if (responds.status === 200) spans.push(...decodeSpans(body));
    response.writeHead(responds.status, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    responds,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
