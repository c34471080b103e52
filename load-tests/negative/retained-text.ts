import type { ServerResponse } from 'node:http'
import { isEventStream, replaceWrite } from './event-streams.ts'

/** Negative control: keeps the text of every streamed response until its end, as code that counts tokens afterwards does. */
const texts = new WeakMap<ServerResponse, string[]>()

replaceWrite(
  (original) =>
    function write(chunk, ...rest) {
      if (isEventStream(this)) {
        const kept = texts.get(this) ?? []
        kept.push(Buffer.from(chunk as Uint8Array).toString()) // the relay writes bytes
        texts.set(this, kept)
      }
      return original.call(this, chunk, ...rest)
    },
)
