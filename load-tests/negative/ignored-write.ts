import { replaceWrite } from './event-streams.ts'

/** Negative control: the relay ignores back-pressure from clients. */
replaceWrite(
  (original) =>
    function write(chunk, ...rest) {
      original.call(this, chunk, ...rest)
      return true
    },
)
