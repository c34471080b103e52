import type { ServerResponse } from 'node:http'
import { isEventStream, replaceWrite } from './event-streams.ts'

/** Negative control: pipes every event stream through a Web TransformStream, as proxies on Web streams do. */
const controllers = new WeakMap<ServerResponse, ReadableStreamDefaultController<unknown>>()

replaceWrite((original) => {
  const open = (response: ServerResponse): ReadableStreamDefaultController<unknown> => {
    const { take, get } = holder()
    const source = new ReadableStream<unknown>({ start: take })
    const through = source.pipeThrough(
      new TransformStream<unknown, unknown>({ transform: (chunk, controller) => controller.enqueue(chunk) }),
    )
    void (async () => {
      for await (const chunk of through) original.call(response, chunk)
    })()
    return get()
  }
  return function write(this: ServerResponse, chunk, ...rest) {
    if (!isEventStream(this)) return original.call(this, chunk, ...rest)
    const controller = controllers.get(this) ?? open(this)
    controllers.set(this, controller)
    controller.enqueue(chunk)
    return !this.writableNeedDrain
  }
})

/** Captures the controller that a stream passes during its construction. */
function holder() {
  let taken: ReadableStreamDefaultController<unknown> | undefined
  return {
    take: (controller: ReadableStreamDefaultController<unknown>): void => void (taken = controller),
    get: (): ReadableStreamDefaultController<unknown> => {
      if (taken === undefined) throw new Error('a ReadableStream calls start during its construction')
      return taken
    },
  }
}
