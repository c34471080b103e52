import { isEventStream, replaceWrite } from './event-streams.ts'

/**
 * Near the noise: each event is parsed and encoded again on its way. Shown with its spread, not judged. The relay frames its chunks itself:
 * their lengths stay true because the simulator's JSON is what `JSON.stringify` writes.
 */
replaceWrite(
  (original) =>
    function write(chunk, ...rest) {
      if (!isEventStream(this)) return original.call(this, chunk, ...rest)
      const lines = Buffer.from(chunk as Uint8Array) // relays write bytes
        .toString()
        .split('\n')
        .map((line) => (line.startsWith('data: {') ? `data: ${JSON.stringify(JSON.parse(line.slice(6)))}` : line))
      return original.call(this, Buffer.from(lines.join('\n')), ...rest)
    },
)
