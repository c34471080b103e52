import { startTcpProxy } from '@tollgate/testing/tcp-proxy'

/** The address of one store, in a process of its own so that it does not share a core's turn with the clients. See `address.ts`. */
const proxy = await startTcpProxy(Number(process.argv[2]))
const orders = {
  pointTo: (port: number) => proxy.pointTo(port),
  cut: () => proxy.cut(),
  fallSilent: () => proxy.fallSilent(),
  speak: () => proxy.speak(),
} as const
export type Order = { readonly order: keyof typeof orders; readonly port: number; readonly id: number }

process.on('message', ({ order, port, id }: Order) => {
  orders[order](port)
  process.send?.(id)
})
process.on('disconnect', () => process.exit(0))
process.send?.(proxy.port)
