/** How a command ends. docs/command-line.md explains each. */
export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 2,
  credentials: 3,
  notFound: 4,
  syncFailed: 5,
  notConfirmed: 6,
  interrupted: 130,
} as const;

/** An error with its own exit code. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const usageError = (message: string) => new CommandError(message, exitCodes.usage);
