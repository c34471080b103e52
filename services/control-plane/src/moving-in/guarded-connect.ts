import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { AppError } from '@tollgate/contracts/app-error'
import { createAddressGuard } from '@tollgate/outbound/address-guard'

const CONNECT_MS = 10_000
const ANY = ['0.0.0.0/0', '::/0']

/**
 * Connects to the database of an operator, which is on a private address more often than not. The stores and listeners of this gateway,
 * link-local addresses and metadata services are refused, after the name was resolved.
 */
export function guardedConnect(own: readonly string[]): (host: string, port: number) => Promise<Socket> {
  const guard = createAddressGuard({ allow: ANY, own })
  return async (host, port) => {
    const bare = host.replace(/^\[|\]$/g, '')
    const addresses = await lookup(bare, { all: true })
    const allowed = addresses.filter(({ address }) => guard.refuse(address, port) === undefined)
    if (guard.refuseName(bare, port) !== undefined || allowed.length < addresses.length) throw new AppError('import.address-own')
    const socket = connectSocket({ host: allowed[0]?.address ?? bare, port })
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
    } catch (cause) {
      socket.destroy()
      throw new AppError('import.unreachable', {}, { cause })
    }
    return socket
  }
}

/** Own addresses as exact places: the usual ports of databases are not refused on other machines. */
export const ownPlaces = (own: readonly string[]): string[] => own.map((entry) => entry.replace(/^\*:/, 'localhost:'))
