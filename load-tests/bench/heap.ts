import type { Gateway } from './gateways.ts'
import { openInspector, type Inspector } from './inspector.ts'
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

export async function readLiveHeap(inspector: Inspector): Promise<LiveHeap> {
  await inspector.ask('HeapProfiler.collectGarbage')
  await inspector.ask('HeapProfiler.collectGarbage')
  const used = await inspector.evaluate('(({ heapUsed, external }) => ({ objects: heapUsed, external }))(process.memoryUsage())')
  return used as LiveHeap // the expression above
}
