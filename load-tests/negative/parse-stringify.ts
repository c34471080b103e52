import { isEventStream, replaceWrite } from './event-streams.ts'

/**
 * Parses and encodes each event again, a cost near the noise. The relay has framed the chunks before; their lengths stay correct because the
 * simulator's JSON is what `JSON.stringify` writes.
 */
replaceWrite(
  (original) =>
    function write(chunk, ...rest) {
      if (!isEventStream(this)) return original.call(this, chunk, ...rest)
      const lines = Buffer.from(chunk as Uint8Array) // the relay writes bytes
        .toString()
        .split('\n')
        .map((line) => (line.startsWith('data: {') ? `data: ${JSON.stringify(JSON.parse(line.slice(6)))}` : line))
      return original.call(this, Buffer.from(lines.join('\n')), ...rest)
    },
)
