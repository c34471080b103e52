import { once } from 'node:events'
import { connect } from 'node:net'

/** Counters of a Redis since its start. */
export type Counters = {
  /** Script calls by clients. */
  readonly scripts: number
  /** Commands, including those called by scripts. */
  readonly commands: number
  /** Socket reads; pipelined commands share one. */
  readonly reads: number
  /** Usage events appended, one per finished request. */
  readonly events: number
}

export async function readCounters(url: string): Promise<Counters> {
  const info = await readInfo(Number(new URL(url).port))
  const number = (pattern: RegExp): number => Number(pattern.exec(info)?.[1] ?? 0)
  return {
    scripts: number(/^cmdstat_evalsha:calls=(\d+)/m),
    commands: number(/^total_commands_processed:(\d+)/m),
    reads: number(/^total_reads_processed:(\d+)/m),
    events: number(/^cmdstat_xadd:calls=(\d+)/m),
  }
}

/** The response to INFO ALL, sent as an inline command. */
async function readInfo(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const length = /^\$(\d+)\r\n/.exec(text)
    if (length !== null && text.length >= length[0].length + Number(length[1])) socket.end()
  })
  socket.write('INFO ALL\r\n')
  await once(socket, 'close')
  return text
}
