import { replaceWrite } from './event-streams.ts'

/** Negative control: nobody hears that a client does not read. */
replaceWrite(
  (original) =>
    function write(chunk, ...rest) {
      original.call(this, chunk, ...rest)
      return true
    },
)
