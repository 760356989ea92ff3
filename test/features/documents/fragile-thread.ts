import type { PrintedContent } from '../../../src/features/documents/pdf/content.ts';

/** Exits on employee 13, and returns the number of every other employee. */
export default function renderFragile({ employeeId }: PrintedContent): Uint8Array {
  if (employeeId === 13) process.exit(3);
  return Uint8Array.of(employeeId);
}
