import type { Gateway } from './gateways.ts'
import { openInspector, type ThreadInspector, type Inspector } from './inspector.ts'
import { waitUntilReady } from './processes.ts'

/** Live bytes after two full collections. */
export type LiveHeap = {
  /** Bytes of the heap, without code. */
  readonly objects: number
  /** Byte code and machine code, which V8 adds for hours while it optimises one rarely called function after the other. */
  readonly code: number
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
  const sum: { objects: number; code: number; external: number } = { objects: 0, code: 0, external: 0 }
  for (const thread of [inspector, ...(await inspector.threads())]) {
    const { objects, code, external } = await readThread(thread)
    sum.objects += objects
    sum.code += code
    sum.external += external
  }
  return sum
}

/** Code is in the spaces of V8 whose names say so, its tables and byte code are in the trusted ones (https://v8.dev/blog/sandbox). */
const MEASURE = `(() => {
  const used = { objects: 0, code: 0, external: process.memoryUsage().external }
  for (const { space_name, space_used_size } of process.getBuiltinModule('node:v8').getHeapSpaceStatistics())
    used[/code|trusted/.test(space_name) ? 'code' : 'objects'] += space_used_size
  return used
})()`

async function readThread({ send, evaluate }: ThreadInspector): Promise<LiveHeap> {
  await send('HeapProfiler.collectGarbage')
  await send('HeapProfiler.collectGarbage')
  return (await evaluate(MEASURE)) as LiveHeap // the result of the expression above
}
