import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A DNS server that answers nothing, so that names neither resolve nor fail. */
export async function startSilentNames(): Promise<{ readonly address: string; close(): void }> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() }
}
