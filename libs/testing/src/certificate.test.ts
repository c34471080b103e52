import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { expect, it } from 'vitest'
import { createCertificate, trustCertificate, type TestCertificate } from './certificate.ts'

it('makes certificates of the same name that are trusted beside each other', async () => {
  const certificates = [await createCertificate(), await createCertificate()]
  for (const certificate of certificates) trustCertificate(certificate)

  for (const certificate of certificates) expect(await isTrusted(certificate)).toBe(true)
})

async function isTrusted({ cert, key }: TestCertificate): Promise<boolean> {
  const server = createServer({ cert, key }, (socket) => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost' })
  try {
    await once(socket, 'secureConnect')
    return socket.authorized
  } finally {
    socket.destroy()
    server.close()
  }
}
