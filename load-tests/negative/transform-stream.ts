import type { ServerResponse } from 'node:http'
import { isEventStream, replaceWrite } from './event-streams.ts'

/** Negative control: every event stream's chunks pass through a Web TransformStream of their own. */
const writers = new WeakMap<ServerResponse, WritableStreamDefaultWriter<unknown>>()

replaceWrite((original) => {
  const open = (response: ServerResponse): WritableStreamDefaultWriter<unknown> => {
    const { readable, writable } = new TransformStream<unknown, unknown>({ transform: (chunk, controller) => controller.enqueue(chunk) })
    void (async () => {
      for await (const chunk of readable) original.call(response, chunk)
    })()
    return writable.getWriter()
  }
  return function write(this: ServerResponse, chunk, ...rest) {
    if (!isEventStream(this)) return original.call(this, chunk, ...rest)
    const writer = writers.get(this) ?? open(this)
    writers.set(this, writer)
    void writer.write(chunk)
    return !this.writableNeedDrain
  }
})
