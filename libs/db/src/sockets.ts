import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Host and port that postgres.js has read from the address. */
type Endpoint = { readonly host: readonly string[]; readonly port: readonly number[]; readonly path: string | false }

export const RECONNECT_AFTER_MS = 50

const silent = (ms: number | undefined): Error => Object.assign(new Error(`Postgres was silent for ${ms} ms`), { code: 'ETIMEDOUT' })

/** The sockets of a session. postgres.js ends a socket and waits for the server to end it too, which a silent one never does. */
export class Sockets {
  readonly #open = new Set<Socket>()
  #isClosed = false
  #madeAt = 0
  #made = 0
  readonly #silentMs: number | undefined

  /** `silentMs`: a socket on which nothing is read or written for this long is destroyed. */
  constructor(silentMs?: number) {
    this.#silentMs = silentMs
  }

  /** Options of postgres.js; this one is missing in its types. */
  readonly option = { socket: (options: Endpoint) => this.#make(options) } as object

  /** Called by postgres.js, with its own options, whenever it connects. */
  readonly #make = async ({ host, port, path }: Endpoint): Promise<Socket> => {
    await this.#pace()
    if (this.#isClosed) throw new Error('the session was given up')
    const socket = new Socket()
    if (this.#silentMs !== undefined) socket.setTimeout(this.#silentMs, () => socket.destroy(silent(this.#silentMs)))
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    if (path !== false) return socket.connect(path)
    const at = this.#made % host.length
    this.#made += 1
    // postgres.js reads the host for TLS.
    return Object.assign(socket.connect(port[at] ?? 5432, host[at] ?? ''), { host: host[at] })
  }

  /** postgres.js connects again without a pause when the server is not the primary. */
  async #pace(): Promise<void> {
    const rest = this.#madeAt + RECONNECT_AFTER_MS - performance.now()
    if (this.#made > 0 && rest > 0) await sleep(rest, undefined, { ref: false })
    this.#madeAt = performance.now()
  }

  destroy(): void {
    this.#isClosed = true
    for (const socket of this.#open) socket.destroy()
  }
}
