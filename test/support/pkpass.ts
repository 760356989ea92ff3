import assert from 'node:assert/strict';
import { createHash, verify, X509Certificate } from 'node:crypto';

const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();

/** Returns the files of a zip archive whose entries are stored uncompressed, as in passes. */
export function unzipStored(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50; ) {
    assert.equal(archive.readUInt16LE(at + 8), 0, 'an entry is compressed');
    const size = archive.readUInt32LE(at + 18);
    const nameLength = archive.readUInt16LE(at + 26);
    const start = at + 30 + nameLength + archive.readUInt16LE(at + 28);
    files.set(archive.toString('utf8', at + 30, at + 30 + nameLength), archive.subarray(start, start + size));
    at = start + size;
  }
  return files;
}

interface Element {
  tag: number;
  /** Includes tag and length. */
  raw: Buffer;
  content: Buffer;
}

/** Returns the elements of a DER sequence in order. */
function elementsOf(der: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < der.length; ) {
    const first = der.readUInt8(at + 1);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
    const start = at + 2 + lengthBytes;
    assert(start + length <= der.length, 'an element is longer than what contains it');
    elements.push({
      tag: der.readUInt8(at),
      raw: der.subarray(at, start + length),
      content: der.subarray(start, start + length),
    });
    at = start + length;
  }
  return elements;
}

/** Descends by positions: `at(der, 0, 1)` returns the second element within the first one. */
function at(der: Buffer, ...path: number[]): Element {
  const [index = 0, ...rest] = path;
  const element = elementsOf(der).at(index);
  assert(element, `The signature has no element ${index}.`);
  return rest.length === 0 ? element : at(element.content, ...rest);
}

const messageDigestOid = Buffer.from('06092a864886f70d010904', 'hex');

/**
 * Checks a detached CMS signature (RFC 5652) over the manifest as a device does, except that it does not check whether
 * the signer is trusted. Returns the certificates in the signature.
 */
export function assertSigned(manifest: Buffer, signature: Buffer): X509Certificate[] {
  const signedData = at(signature, 0, 1, 0).content;
  const certificates = elementsOf(at(signedData, 3).content).map(({ raw }) => new X509Certificate(raw));
  const signer = at(signedData, -1, 0).content;
  const serialNumber = at(signer, 1, 1).content.toString('hex').toUpperCase();
  const attributes = at(signer, 3);
  const digest = elementsOf(attributes.content).find(({ content }) => at(content, 0).raw.equals(messageDigestOid));
  assert(digest, 'The signature names no digest.');
  assert.deepEqual(at(digest.content, 1, 0).content, sha1(manifest));
  const certificate = certificates.find((one) => one.serialNumber === serialNumber.replace(/^00/, ''));
  assert(certificate, 'The certificate of the signer is missing.');
  // The signature covers the attributes encoded as a set, although the structure contains them under another tag.
  const signed = Buffer.concat([Buffer.of(0x31), attributes.raw.subarray(1)]);
  assert(verify('sha1', signed, certificate.publicKey, at(signer, 5).content), 'The signature is wrong.');
  return certificates;
}

/** Returns the content that `manifest.json` must have for the files. */
export const manifestOf = (files: Map<string, Buffer>) =>
  Object.fromEntries(
    [...files]
      .filter(([name]) => name !== 'manifest.json' && name !== 'signature')
      .map(([name, bytes]) => [name, sha1(bytes).toString('hex')]),
  );
