import { ServerResponse } from 'node:http'

type Write = (this: ServerResponse, chunk: unknown, ...rest: unknown[]) => boolean
const types = ServerResponse.prototype

/** Whether this response is an event stream that has begun. The relay hands its headers over as a list, which `getHeader` does not know. */
export function isEventStream(response: ServerResponse): boolean {
  return /^content-type: text\/event-stream/im.test(String(Reflect.get(response, '_header')))
}

/** Puts `change` between the relay and every write of an answer. */
export function replaceWrite(change: (original: Write) => Write): void {
  types.write = change(types.write as Write) as typeof types.write // the overloads differ only in what may be left out
}
