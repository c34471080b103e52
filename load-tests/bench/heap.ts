import type { Gateway } from './gateways.ts'
import { openInspector, type Inspected, type Inspector } from './inspector.ts'
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
  const inspector = await openInspector(targets[0]?.webSocketDebuggerUrl ?? '')
  try {
    return await readLiveHeap(inspector)
  } finally {
    inspector.close()
  }
}

/** Of the process: its main thread and those it started. */
export async function readLiveHeap(inspector: Inspector): Promise<LiveHeap> {
  const sum: { objects: number; external: number } = { objects: 0, external: 0 }
  for (const thread of [inspector, ...(await inspector.threads())]) {
    const { objects, external } = await readThread(thread)
    sum.objects += objects
    sum.external += external
  }
  return sum
}

async function readThread({ ask, evaluate }: Inspected): Promise<LiveHeap> {
  await ask('HeapProfiler.collectGarbage')
  await ask('HeapProfiler.collectGarbage')
  const used = await evaluate('(({ heapUsed, external }) => ({ objects: heapUsed, external }))(process.memoryUsage())')
  return used as LiveHeap // the expression above
}
