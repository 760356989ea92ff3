import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/** The head of a CBOR value (RFC 8949): its major type and its length or value. */
const cborHead = (major: number, value: number): Buffer =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value]);
  const entries = [...value].flatMap(([key, one]) => [encodeCbor(key), encodeCbor(one)]);
  return Buffer.concat([cborHead(5, value.size), ...entries]);
}

const present = 0x01;
const verified = 0x04;
const attested = 0x40;

interface ResponseOptions {
  /** Of the page that asked. */
  origin: string;
  /** Whether the authenticator has verified its user. */
  isVerified?: boolean;
  /** How often the key was used. */
  counter?: number;
}

/** An authenticator with one key, which signs whatever a page asks it to sign. */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(16);
  const id = credentialId.toString('base64url');
  let used = 0;
  let userHandle: string | null = null;

  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const authenticatorData = (rpId: string, flags: number, counter: number, rest: Uint8Array = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest]);
  };
  const flagsOf = ({ isVerified = true }: ResponseOptions) => present | (isVerified ? verified : 0);

  return {
    id,
    /** Returns what a page sends to add the key, without a name. */
    attest(options: { challenge: string; rp: { id: string }; user: { id: string } }, how: ResponseOptions) {
      userHandle ??= options.user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const bytes = (text: string) => Buffer.from(text, 'base64url');
      const key = encodeCbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes(x)],
          [-3, bytes(y)],
        ]),
      );
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, key]);
      const data = authenticatorData(options.rp.id, flagsOf(how) | attested, how.counter ?? 0, credential);
      const object = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]);
      return {
        id,
        clientDataJson: clientData('webauthn.create', options.challenge, how.origin).toString('base64url'),
        attestationObject: encodeCbor(object).toString('base64url'),
        transports: ['internal', 'telepathy'],
      };
    },
    /** Returns what a page sends to use the key. */
    assert(options: { challenge: string; rpId: string }, how: ResponseOptions) {
      used += 1;
      const client = clientData('webauthn.get', options.challenge, how.origin);
      const data = authenticatorData(options.rpId, flagsOf(how), how.counter ?? used);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        id,
        clientDataJson: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle,
      };
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;
