import { writeSync } from 'node:fs'
import { Session, type Debugger, type InspectorNotification } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import { PLACES, type WatchdogData } from './watchdog.ts'

/** Watches the event loop of its process; started by watchdog.ts. */

const { shared, service, limit_s } = workerData as WatchdogData // from watchEventLoop

const CHECK_MS = 1000
/** A loop that is in native code may not be able to show its functions. */
const STACK_MS = 2000
const MAX_FRAMES = 20

let last = -1
/** Checks without a turn. A machine that was suspended misses one check at most, however long it slept. */
let missed = 0

const timer = setInterval(() => {
  const turns = Atomics.load(shared, PLACES.turns)
  missed = turns === last && Atomics.load(shared, PLACES.isDebugged) === 0 ? missed + 1 : 0
  last = turns
  if (missed < limit_s) return
  clearInterval(timer)
  readStack(end)
}, CHECK_MS)

function readStack(onStack: (stack: string) => void): void {
  const session = new Session()
  const urls = new Map<string, string>()
  setTimeout(() => onStack('in native code'), STACK_MS)
  session.connectToMainThread()
  session.on('Debugger.scriptParsed', ({ params }: InspectorNotification<Debugger.ScriptParsedEventDataType>) => {
    urls.set(params.scriptId, params.url)
  })
  session.on('Debugger.paused', ({ params }: InspectorNotification<Debugger.PausedEventDataType>) => {
    const frames = params.callFrames.slice(0, MAX_FRAMES).map(({ functionName, location: { scriptId, lineNumber } }) => {
      const name = functionName === '' ? '(anonymous)' : functionName
      return `at ${name} (${urls.get(scriptId) ?? ''}:${lineNumber + 1})`
    })
    onStack(frames.join('\n'))
  })
  session.post('Debugger.enable', () => session.post('Debugger.pause'))
}

function end(stack: string): void {
  const line = {
    level: 'fatal',
    time: new Date().toISOString(),
    service,
    pid: process.pid,
    timeout_ms: limit_s * 1000,
    detail: stack,
    msg: 'The event loop stood still; this process ends',
  }
  try {
    writeSync(1, `${JSON.stringify(line)}\n`)
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
}
