import { readFileSync } from 'node:fs'
import { Connection, now } from './connection.ts'
import type { GeneratorEvent, Job, Shape } from './job.ts'
import { Recorder } from './recorder.ts'

/**
 * The load generator. Reads one job as JSON on standard input; prints `begin` after the warm-up and `end` with the outcome, so that the
 * bench can read the gateway's CPU time at these two moments.
 *
 * Open loop: requests are sent at fixed times on a free connection, or on a new one if none is free, so a slow response delays no other
 * request. Latency counts from the moment a request is written; `lateness` is the time between due and written, and above a few
 * milliseconds the generator's core is the bottleneck. Requests beyond MAX_CONNECTIONS count as failed, so that an impossible rate ends
 * in time.
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
  const content = job.method === 'GET' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const head = (key: string) =>
    Buffer.from(
      `${job.method ?? 'POST'} ${job.path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\n${content}` +
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

function open(onFree: (connection: Connection) => void, onClose: () => void = () => undefined): Connection {
  const connection = new Connection(job.port, recorder, {
    free: onFree,
    close: (closed) => {
      connections.delete(closed)
      if (!isOver) onClose()
    },
  })
  connections.add(connection)
  return connection
}

/** Calls `send` `rate` times per second. */
function atRate(rate: number, send: () => void): void {
  const startedAt = now()
  let sent = 0
  const timer = setInterval(() => {
    if (isOver) return clearInterval(timer)
    // Limits a burst, so that responses and the end of the run are processed in between.
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
const EXIT_AFTER_MS = 10_000

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
    // The bench reads this process's CPU time now and then stops it, on a busy machine with a delay.
    setTimeout(() => process.exit(0), EXIT_AFTER_MS)
  }, job.seconds * 1000)
}, job.warmup * 1000)
