import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type TcpProxy = {
  readonly port: number
  /** Later connections go to this port of 127.0.0.1; open ones stay where they are. */
  pointTo(port: number): void
  /** Ends every open connection. */
  cut(): void
  /** Accepts connections and delivers nothing, in either direction, like a network that loses every packet. */
  fallSilent(): void
  /** Delivers what open connections send, and loses what they should receive. */
  loseAnswers(): void
  /** Delivers again on new connections. What was swallowed stays lost, so connections from the silence stay silent. */
  speak(): void
  /** Number of connections accepted so far. */
  accepted(): number
  /** How often clients have sent something: those that wait for each answer send as often as they have commands. */
  sent(): number
  /** Connections that neither side has ended. */
  open(): number
  close(): Promise<void>
}

/** A server of tests between a client and the server behind one address. */
export async function startTcpProxy(toPort: number): Promise<TcpProxy> {
  let target = toPort
  let isSilent = false
  let accepted = 0
  let sent = 0
  const sockets = new Set<Socket>()
  const near = new Set<Socket>()
  /** Connections that lost bytes, and those that only receive nothing. */
  const deaf = new WeakSet<Socket>()
  const mute = new WeakSet<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    accepted += 1
    near.add(keep(client))
    client.on('close', () => near.delete(client))
    const far = keep(connect(target, '127.0.0.1'))
    for (const [from, to] of [
      [client, far],
      [far, client],
    ] as const) {
      from.on('data', (bytes) => {
        if (from === client) sent += 1
        if (isSilent) deaf.add(client)
        if (!deaf.has(client) && (from === client || !mute.has(client))) to.write(bytes)
      })
      // The end of a connection is a packet too.
      from.on('close', () => (isSilent || deaf.has(client) || mute.has(client) ? undefined : to.destroy()))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => sockets.forEach((socket) => socket.destroy())
  return {
    port: (server.address() as AddressInfo).port, // a TCP server that listens has a port
    pointTo: (port) => {
      target = port
    },
    cut,
    fallSilent: () => {
      isSilent = true
      for (const socket of sockets) deaf.add(socket)
    },
    loseAnswers: () => {
      for (const client of near) mute.add(client)
    },
    speak: () => {
      isSilent = false
    },
    accepted: () => accepted,
    sent: () => sent,
    open: () => near.size,
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
