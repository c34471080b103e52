import type { Socket } from 'node:net'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOperatorNames } from '@tollgate/outbound/names/names'
import { createOutbound } from '@tollgate/outbound/outbound'

export type SmtpConnect = {
  /** A plain connection to the mail server; throws OutboundError. */
  open(host: string, port: number): Promise<Socket>
  close(): Promise<void>
}

/** A mail server on the operator's own network is usual, so private ranges are allowed here and nowhere else (ADR 43). */
const PRIVATE = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128', 'fc00::/7']
const CONNECT_TIMEOUT_MS = 10_000

/** Link-local addresses, metadata services and our own listeners and stores stay out of reach. */
export function createSmtpConnect(own: readonly string[], dnsServers: readonly string[] = []): SmtpConnect {
  const guard = createAddressGuard({ allow: PRIVATE, own })
  const outbound = createOutbound({ guard, names: createOperatorNames(dnsServers), connectTimeoutMs: CONNECT_TIMEOUT_MS })
  return {
    open: (host, port) => outbound.connect({ origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}` }),
    close: () => outbound.close(),
  }
}
