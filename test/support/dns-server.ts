import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** What the server knows about a name: its TXT records, each of one or more strings, or how it fails. */
type Zone = Record<string, string[][] | 'no response' | 'server failure'>;

const codes = { noError: 0, serverFailure: 2, nameError: 3 };
const [txt, internet] = [16, 1];

/** Returns the name and the type that a query asks for, and where the question ends (RFC 1035, section 4). */
function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Returns a record of the name in the question, to which the pointer 0xc00c refers. */
function encodeRecord(strings: string[]): Buffer {
  const data = Buffer.concat(
    strings.map((text) => Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)])),
  );
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(txt, 2);
  head.writeUInt16BE(internet, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function respond(query: Buffer, zone: Zone): Buffer | undefined {
  const { name, type, end } = readQuestion(query);
  const found = zone[name];
  if (found === 'no response') return undefined;
  const isKnown = Array.isArray(found);
  const records = isKnown && type === txt ? found.map(encodeRecord) : [];
  const code = isKnown ? codes.noError : found === 'server failure' ? codes.serverFailure : codes.nameError;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  // A response, with recursion as desired and available.
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, query.subarray(12, end), ...records]);
}

/** Starts a DNS server on loopback that answers queries for TXT records by UDP. It keeps the names it was asked for. */
export async function startDnsServer(zone: Zone) {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    queries.push(readQuestion(query).name);
    const response = respond(query, zone);
    if (response) socket.send(response, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    queries,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
