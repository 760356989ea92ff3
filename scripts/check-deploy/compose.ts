import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { deploy } from './tools.ts';

/** Checks that compose.yaml names only what exists, in keys that Compose knows. */

type Named = Record<string, unknown>;
interface Service extends Named {
  secrets?: string[];
  volumes?: string[];
  ports?: unknown[];
  depends_on?: string[] | Named;
}
interface Compose {
  services: Record<string, Service>;
  secrets: Named;
  volumes: Named;
}

/** The keys of a service that we use (compose-spec). Extend it by the same name as in the specification. */
const serviceKeys = new Set([
  ...['build', 'cap_add', 'cap_drop', 'command', 'depends_on', 'environment', 'healthcheck', 'image', 'ports'],
  ...['profiles', 'read_only', 'restart', 'secrets', 'security_opt', 'shm_size', 'stop_grace_period', 'tmpfs'],
  'volumes',
]);

const namesOf = (list: string[] | Named = []) => (Array.isArray(list) ? list : Object.keys(list));

function checkService(name: string, service: Service, { services, secrets, volumes }: Compose): string[] {
  const { depends_on, secrets: read = [], volumes: mounts = [], ports = [] } = service;
  const mounted = mounts.map((mount) => mount.split(':')[0] ?? '').filter((source) => !/^[./]/.test(source));
  const missing = [
    ...namesOf(depends_on).filter((other) => services[other] === undefined),
    ...read.filter((secret) => secrets[secret] === undefined),
    ...mounted.filter((volume) => !(volume in volumes)),
  ];
  return [
    ...missing.map((other) => `${name} uses ${other}, which is not defined.`),
    ...Object.keys(service)
      .filter((key) => !serviceKeys.has(key))
      .map((key) => `${name} has the unknown key ${key}.`),
    // YAML reads 1:2 as a number to the base of 60.
    ...ports.filter((port) => typeof port !== 'string').map((port) => `Put the port ${port} of ${name} in quotes.`),
    ...(service.image === undefined ? [`${name} has no image.`] : []),
  ];
}

export function checkCompose(): string[] {
  const compose: Compose = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'), { merge: true });
  return Object.entries(compose.services)
    .flatMap(([name, service]) => checkService(name, service, compose))
    .map((problem) => `deploy/compose.yaml: ${problem}`);
}
