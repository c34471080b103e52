import { readFileSync } from 'node:fs'
import { Connection, now } from './connection.ts'
import type { GeneratorEvent, Job, Shape } from './job.ts'
import { Recorder } from './recorder.ts'

/**
 * The load generator: one order as JSON on standard input; prints `begin` when the warm-up is over and `end` with the outcome, so
 * that whoever started it can read the measured process's CPU at exactly those two moments.
 *
 * Open loop: requests leave by the clock on whatever connection is free, and on a new one if none is, so that a slow answer delays
 * nobody. Latency counts from the moment a request was written; how late that was after it was due is told apart (`lateness`) and is
 * the generator's own doing: above a few milliseconds its core is the bottleneck. A rate that would need more than MAX_CONNECTIONS is
 * beyond the gateway or the machine; what is due then counts as failed, so that such a run ends in time.
 */
const job = JSON.parse(readFileSync(0, 'utf8')) as Job // written by bench/load.ts
const recorder = new Recorder()
const connections = new Set<Connection>()
const free: Connection[] = []
const body = Buffer.from(job.body)
const heads = makeHeads()
let turn = 0
let isOver = false

function makeHeads(): readonly Buffer[] {
  const rest = Object.entries(job.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = (key: string) =>
    Buffer.from(
      `POST ${job.path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
        `${key === '' ? '' : `Authorization: Bearer sk-${key}\r\n`}${rest.join('')}\r\n`,
    )
  if (job.keys === '') return [head('')]
  return readFileSync(job.keys, 'utf8').trim().split('\n').map(head)
}

function nextHead(): Buffer {
  turn += 1
  const head = heads[turn % heads.length]
  if (head === undefined) throw new Error('no key to send')
  return head
}

function open(onFree: (connection: Connection) => void, onGone: () => void = () => undefined): Connection {
  const connection = new Connection(job.port, recorder, {
    free: onFree,
    gone: (gone) => {
      connections.delete(gone)
      if (!isOver) onGone()
    },
  })
  connections.add(connection)
  return connection
}

/** Calls `send` so many times per second, by the clock. */
function atRate(rate: number, send: () => void): void {
  const startedAt = now()
  let sent = 0
  const timer = setInterval(() => {
    if (isOver) return clearInterval(timer)
    // What is still due then waits for the next turn: answers and the end of the run must be heard in between.
    for (let burst = 0; burst < MAX_AT_ONCE; burst += 1) {
      const due = startedAt + (sent * 1e6) / rate
      const late = now() - due
      if (late < 0) return
      recorder.late(late)
      sent += 1
      send()
    }
  }, 1)
}

const MAX_AT_ONCE = 500

function closed(count: number): void {
  const again = (connection: Connection): void => {
    if (!isOver) connection.send(nextHead(), body)
  }
  const start = (): void => open(again, () => setTimeout(start, 50)).send(nextHead(), body)
  for (let at = 0; at < count; at += 1) start()
}

function openLoop(rate: number, count: number): void {
  const release = (connection: Connection): void => void free.push(connection)
  for (let at = 0; at < count; at += 1) free.push(open(release))
  atRate(rate, () => {
    let connection = free.pop()
    while (connection !== undefined && !connections.has(connection)) connection = free.pop()
    if (connection === undefined && connections.size >= MAX_CONNECTIONS) return recorder.failed()
    ;(connection ?? open(release)).send(nextHead(), body)
  })
}

const MAX_CONNECTIONS = 16_000
const STAY_MS = 10_000

function streams(count: number, perSecond: number): void {
  const again = (connection: Connection): void => {
    if (!isOver) connection.send(nextHead(), body)
  }
  let started = 0
  const start = (): void => open(again, () => setTimeout(start, 100)).send(nextHead(), body)
  atRate(perSecond, () => {
    if (started >= count) return
    started += 1
    start()
  })
}

function stalled(count: number): void {
  for (let at = 0; at < count; at += 1) open(() => undefined).sendAndStall(nextHead(), body)
}

function aborts(rate: number, afterChunks: number): void {
  atRate(rate, () => open((connection) => connection.destroy()).send(nextHead(), body, afterChunks))
}

function launch(shape: Shape): void {
  if (shape.kind === 'closed') closed(shape.connections)
  else if (shape.kind === 'open') openLoop(shape.rate, shape.connections)
  else if (shape.kind === 'streams') streams(shape.streams, shape.perSecond)
  else if (shape.kind === 'stalled') stalled(shape.clients)
  else aborts(shape.rate, shape.afterChunks)
}

const emit = (line: GeneratorEvent) => process.stdout.write(`${JSON.stringify(line)}\n`)

launch(job.shape)
setTimeout(() => {
  recorder.begin(now())
  emit({ at: 'begin' })
  setTimeout(() => {
    isOver = true
    const openStreams = [...connections].filter(({ isStreaming }) => isStreaming).length
    emit({ at: 'end', outcome: recorder.end(now(), openStreams) })
    for (const connection of connections) connection.destroy()
    // Whoever started us reads our CPU now, and stops us; on a busy machine that is not at once.
    setTimeout(() => process.exit(0), STAY_MS)
  }, job.seconds * 1000)
}, job.warmup * 1000)
