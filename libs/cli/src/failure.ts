import type { AdminFailure } from '@tollgate/admin-client/result'

/** Exit codes, for docs/guides/command-line.md and scripts. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, otherServer: 4, notSignedIn: 5, changes: 6 } as const

/** Ends the program with one line on standard error. */
export class CliError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number) {
    super(message)
    this.name = 'CliError'
    this.exitCode = exitCode
  }
}

/** The line about a call that has no result. */
export function toCliError({ kind, message, status }: AdminFailure, address: string): CliError {
  switch (kind) {
    case 'unreachable':
      return new CliError(`cannot reach ${address}: ${message}`, EXIT.unreachable)
    case 'timeout':
      return new CliError(`${address} did not answer in time; --timeout gives it longer`, EXIT.unreachable)
    case 'missing':
      return new CliError(`the Tollgate at ${address} is older than this command and does not know the call`, EXIT.otherServer)
    case 'other-server':
      return new CliError(`${address} does not answer like Tollgate: ${message}`, EXIT.otherServer)
    case 'refused':
      return status === 401 || status === 403
        ? new CliError(`not allowed at ${address}: ${message}`, EXIT.notSignedIn)
        : new CliError(`refused: ${message}`, EXIT.refused)
  }
}
