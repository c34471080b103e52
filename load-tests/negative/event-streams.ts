import { ServerResponse } from 'node:http'

type Write = (this: ServerResponse, chunk: unknown, ...rest: unknown[]) => boolean
const types = ServerResponse.prototype

/** True if this response is an event stream that has begun. `getHeader` does not see headers that the relay passes as a list. */
export function isEventStream(response: ServerResponse): boolean {
  return /^content-type: text\/event-stream/im.test(String(Reflect.get(response, '_header')))
}

/** Wraps every write of a response. */
export function replaceWrite(change: (original: Write) => Write): void {
  types.write = change(types.write as Write) as typeof types.write // the overloads differ only in optional parameters
}
