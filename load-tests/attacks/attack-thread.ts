import { parentPort, workerData } from 'node:worker_threads'
import { ATTACKS, type Target } from './attacks.ts'

/** Runs one attack beside the measurement, whose event loop it must not use. Any message ends it. */
const { name, target } = workerData as { readonly name: string; readonly target: Target } // from startAttack
const stop = await ATTACKS[name]?.(target)
parentPort?.postMessage('begun')
parentPort?.once('message', () => {
  void stop?.().then(() => process.exit(0))
})
