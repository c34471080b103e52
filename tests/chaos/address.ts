import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Order } from './address-main.ts'

/** The address at which services find a store, whatever server is behind it: libs/testing's proxy in a process of its own. */
export type Address = {
  readonly port: number
  /** Later connections lead to this port. */
  pointTo(port: number): Promise<void>
  /** Ends every open connection. */
  cut(): Promise<void>
  /** Loses every packet. */
  fallSilent(): Promise<void>
  /** Delivers again, on new connections. */
  speak(): Promise<void>
  close(): void
}

export async function startAddress(toPort: number): Promise<Address> {
  const child = fork(join(import.meta.dirname, 'address-main.ts'), [String(toPort)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [port] = (await once(child, 'message')) as [number] // its first message
  const waiting = new Map<number, () => void>()
  let last = 0
  child.on('message', (id: number) => {
    waiting.get(id)?.()
    waiting.delete(id)
  })
  const give = async (order: Order['order'], to = 0): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    last += 1
    waiting.set(last, resolve)
    child.send({ order, port: to, id: last } satisfies Order)
    await promise
  }
  return {
    port,
    pointTo: (to) => give('pointTo', to),
    cut: () => give('cut'),
    fallSilent: () => give('fallSilent'),
    speak: () => give('speak'),
    close: () => child.disconnect(),
  }
}
