/** Returns what keeps the process from being ready, or undefined. Must not take long. */
export type ReadinessCheck = () => Promise<string | undefined>;

/** Probes of several kinds may arrive at once. They share one result for this time. */
const maxAgeMillis = 1_000;

async function runCheck(check: ReadinessCheck): Promise<string | undefined> {
  try {
    return await check();
  } catch {
    return 'a check failed';
  }
}

/** Keeps whether this process should receive work: it has started, its checks find nothing, and it does not stop. */
export function createReadiness() {
  let checks: ReadinessCheck[] | undefined;
  let isEnding = false;
  let shared: { at: number; problems: Promise<string[]> } | undefined;
  const runChecks = async (list: ReadinessCheck[]) =>
    (await Promise.all(list.map(runCheck))).filter((problem) => problem !== undefined);
  return {
    begin(list: ReadinessCheck[]): void {
      checks = list;
      shared = undefined;
    },
    end(): void {
      isEnding = true;
    },
    isEnding: () => isEnding,
    async listProblems(): Promise<string[]> {
      if (isEnding) return ['stopping'];
      if (checks === undefined) return ['starting'];
      const now = performance.now();
      if (shared === undefined || now - shared.at > maxAgeMillis) shared = { at: now, problems: runChecks(checks) };
      const problems = await shared.problems;
      return isEnding ? ['stopping'] : problems;
    },
  };
}

export type Readiness = ReturnType<typeof createReadiness>;
