import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { PoolUsage } from '../../platform/db/database.ts';
import type { Readiness } from '../../platform/telemetry/readiness.ts';

export interface ProcessSources {
  version: string;
  readiness: Readiness;
  pools: Readonly<Record<string, () => PoolUsage>>;
  certificates: Readonly<Record<string, Temporal.Instant>>;
  folders: Readonly<Record<string, string>>;
}

function addPoolGauges(registers: Registry[], pools: ProcessSources['pools']): void {
  new Gauge({
    name: 'transit_database_pool_waiting',
    help: 'Statements and transactions that wait for a connection of a pool.',
    labelNames: ['pool'] as const,
    registers,
    collect() {
      for (const [pool, usage] of Object.entries(pools)) this.set({ pool }, usage().waiting);
    },
  });
  new Gauge({
    name: 'transit_database_pool_connections',
    help: 'Open connections of a pool, by state: busy or idle.',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [pool, usage] of Object.entries(pools)) {
        const { total, idle } = usage();
        this.set({ pool, state: 'busy' }, total - idle);
        this.set({ pool, state: 'idle' }, idle);
      }
    },
  });
}

function addDiskGauges(registers: Registry[], folders: ProcessSources['folders']): void {
  const addGauge = (name: string, help: string, field: 'bavail' | 'blocks') =>
    new Gauge({
      name,
      help,
      labelNames: ['folder'] as const,
      registers,
      async collect() {
        this.reset();
        for (const [folder, path] of Object.entries(folders)) {
          const disk = await statfs(path).catch(() => undefined);
          if (disk !== undefined) this.set({ folder }, disk.bsize * disk[field]);
        }
      },
    });
  addGauge('transit_disk_free_bytes', 'Free space on the disk of a folder.', 'bavail');
  addGauge('transit_disk_size_bytes', 'Size of the disk of a folder.', 'blocks');
}

/** Adds the gauges of this process. They are read at scrape time and need no statement. */
export function addProcessGauges(registry: Registry, sources: ProcessSources): void {
  const { version, readiness, pools, certificates, folders } = sources;
  const registers = [registry];
  new Gauge({ name: 'transit_info', help: 'The version, as a label.', labelNames: ['version'], registers }).set(
    { version },
    1,
  );
  new Gauge({
    name: 'transit_ready',
    help: 'Whether the process is ready for work: 1, otherwise 0. The same as /ready.',
    registers,
    async collect() {
      this.set((await readiness.listProblems()).length === 0 ? 1 : 0);
    },
  });
  addPoolGauges(registers, pools);
  addDiskGauges(registers, folders);
  const expiry = new Gauge({
    name: 'transit_wallet_certificate_expiry_timestamp_seconds',
    help: 'When the certificate that signs passes expires, as Unix time.',
    labelNames: ['wallet'] as const,
    registers,
  });
  for (const [wallet, at] of Object.entries(certificates)) expiry.set({ wallet }, at.epochMilliseconds / 1000);
}
