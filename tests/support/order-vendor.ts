import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Record<string, unknown>

/** Sora, Kling, Vidu and Ark on one port. They take a job before they answer, whatever they answer. */
export class OrderVendor {
  readonly orders: Json[] = []
  readonly jobs: Json[] = []
  /** Answer to submissions: a status with an empty object, no answer at all, or none until `release`. */
  fault: number | 'cut' | 'held' | undefined
  /** Answers what is held with this status. */
  release: (status: number) => void = () => undefined
  /** A fault before the job was taken. */
  isIdle = false
  listing = 200
  /** Lists that were asked for. */
  lists = 0
  #server: Server | undefined
  url = ''

  async start(): Promise<void> {
    const server = createServer((incoming, reply) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      incoming.on('end', () => this.#answer(incoming, text, reply))
    })
    this.#server = server
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens
  }

  stop(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  #answer({ method, url = '' }: IncomingMessage, text: string, reply: ServerResponse): void {
    const send = (status: number, body: Json) => reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (method === 'GET') return void send(...this.#find(url))
    const order = JSON.parse(text) as Json
    this.orders.push(order)
    const id = `v-${this.jobs.length + 1}`
    const job = {
      id,
      task_id: id,
      object: 'video',
      prompt: order['prompt'],
      created_at: Math.floor(Date.now() / 1000),
      status: 'queued',
      task_status: 'submitted',
      task_info: { external_task_id: order['external_task_id'] },
    }
    if (!this.isIdle) this.jobs.unshift(job)
    if (this.fault === 'held') return void (this.release = (status) => void send(status, {}))
    if (this.fault === 'cut') return void reply.destroy()
    if (this.fault !== undefined) return void send(this.fault, {})
    send(200, url.startsWith('/v1/videos/') ? { code: 0, data: job } : job)
  }

  #find(url: string): [number, Json] {
    if (url.includes('?')) this.lists += 1
    if (url.startsWith('/v1/videos?')) return [this.listing, { object: 'list', data: this.jobs }]
    if (url.startsWith('/v1/videos/text2video?')) return [this.listing, { code: 0, data: this.jobs }]
    if (url.includes('?')) return [this.listing, { code: 0, data: [] }]
    const job = this.jobs.find(({ id }) => url.endsWith(`/${String(id)}`)) ?? {}
    return [200, url.includes('text2video') ? { code: 0, data: job } : job]
  }
}
