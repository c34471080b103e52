import type { DestinationStream } from 'pino'

export type LogReceiver = (line: string) => void

let receive: LogReceiver | undefined

/** Hands every line of this process's loggers to one receiver beside standard output; undefined ends it. */
export function receiveLogLines(next: LogReceiver | undefined): void {
  receive = next
}

/** A destination whose lines also reach the receiver. A receiver that throws loses its line only. */
export function withReceiver(destination: DestinationStream & { flushSync?(): void }): DestinationStream {
  return {
    write: (line) => {
      destination.write(line)
      try {
        receive?.(line)
      } catch {
        // The line is on standard output, and a log about the log would repeat itself.
      }
    },
    ...(destination.flushSync === undefined ? {} : { flushSync: () => destination.flushSync?.() }),
  }
}
