import type { Gateway } from './gateways.ts'
import { waitUntilReady } from './processes.ts'

/** Bytes that live after two full collections. */
export type LiveHeap = {
  /** Objects. */
  readonly objects: number
  /** What they hold outside of the heap: buffers, most of all. */
  readonly external: number
}

/** Collects twice and measures, through the inspector, which it opens on first use. */
export async function liveHeap({ inspectPort, pids }: Gateway): Promise<LiveHeap> {
  const [pid] = pids()
  if (inspectPort === 0 || pid === undefined) throw new Error('this gateway has no inspector')
  process.kill(pid, 'SIGUSR1')
  await waitUntilReady(inspectPort, '/json/list')
  const targets = (await (await fetch(`http://127.0.0.1:${inspectPort}/json/list`)).json()) as { webSocketDebuggerUrl: string }[] // Node's inspector
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  try {
    await ask(socket, 'HeapProfiler.collectGarbage', {})
    await ask(socket, 'HeapProfiler.collectGarbage', {})
    const expression = '((used) => used.heapUsed + " " + used.external)(process.memoryUsage())'
    const answer = await ask(socket, 'Runtime.evaluate', { expression })
    const [objects = Number.NaN, external = Number.NaN] = String(answer.result?.value).split(' ').map(Number)
    return { objects, external }
  } finally {
    socket.close()
  }
}

type Evaluated = { readonly result?: { readonly value?: unknown } }
let asked = 0

function ask(socket: WebSocket, method: string, params: object): Promise<Evaluated> {
  asked += 1
  const id = asked
  return new Promise((resolve) => {
    const read = ({ data }: MessageEvent): void => {
      const message = JSON.parse(String(data)) as { id?: number; result?: Evaluated } // the DevTools protocol
      if (message.id !== id) return
      socket.removeEventListener('message', read)
      resolve(message.result ?? {})
    }
    socket.addEventListener('message', read)
    socket.send(JSON.stringify({ id, method, params }))
  })
}
