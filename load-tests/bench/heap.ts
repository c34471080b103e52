import type { Gateway } from './gateways.ts'
import { openInspector, type ThreadInspector, type Inspector } from './inspector.ts'
import { waitUntilReady } from './processes.ts'

/** Live bytes after two full collections. */
export type LiveHeap = {
  readonly objects: number
  /** Memory outside the heap that objects own, mostly buffers. */
  readonly external: number
}

/** Opens the gateway's inspector, collects twice and measures. */
export async function liveHeap({ inspectPort, pids }: Gateway): Promise<LiveHeap> {
  const [pid] = pids()
  if (inspectPort === 0 || pid === undefined) throw new Error('this gateway has no inspector')
  process.kill(pid, 'SIGUSR1')
  await waitUntilReady(inspectPort, '/json/list')
  const targets = (await (await fetch(`http://127.0.0.1:${inspectPort}/json/list`)).json()) as { webSocketDebuggerUrl: string }[] // Node's inspector
  const inspector = await openInspector(targets[0]?.webSocketDebuggerUrl ?? '')
  try {
    return await readLiveHeap(inspector)
  } finally {
    inspector.close()
  }
}

/** Sum over the main thread and the threads it started. */
export async function readLiveHeap(inspector: Inspector): Promise<LiveHeap> {
  const sum: { objects: number; external: number } = { objects: 0, external: 0 }
  for (const thread of [inspector, ...(await inspector.threads())]) {
    const { objects, external } = await readThread(thread)
    sum.objects += objects
    sum.external += external
  }
  return sum
}

async function readThread({ send, evaluate }: ThreadInspector): Promise<LiveHeap> {
  await send('HeapProfiler.collectGarbage')
  await send('HeapProfiler.collectGarbage')
  const used = await evaluate('(({ heapUsed, external }) => ({ objects: heapUsed, external }))(process.memoryUsage())')
  return used as LiveHeap // the result of the expression above
}
