import { createSocket, type RemoteInfo } from 'node:dgram'

/**
 * A scripted DNS server over UDP. Names below `silent.example` get no answer, the names of `addresses` their IPv4 address, all others do
 * not exist.
 */
export type DnsServer = {
  /** `address:port` */
  readonly address: string
  /** The names that were queried for an IPv4 address, in order. */
  readonly seen: string[]
  readonly addresses: Map<string, string>
  /** Seconds that an answer may be kept. */
  ttl_s: number
  stop(): Promise<void>
}

const A = 1
const NAME_ERROR = 3

export async function startDnsServer(addresses: Readonly<Record<string, string>> = {}): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const server: DnsServer = {
    address: '',
    seen: [],
    addresses: new Map(Object.entries(addresses)),
    ttl_s: 0,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  socket.on('message', (query: Buffer, { address, port }: RemoteInfo) => {
    const { name, type, end } = readQuestion(query)
    if (type === A) server.seen.push(name)
    if (name.endsWith('silent.example')) return
    const found = server.addresses.get(name)
    const answers = found === undefined || type !== A ? [] : [toRecord(found, server.ttl_s)]
    socket.send(toAnswer(query.subarray(0, end), { code: found === undefined ? NAME_ERROR : 0, answers }), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}` })
}

/** https://www.rfc-editor.org/rfc/rfc1035#section-4.1.2 */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function toAnswer(question: Buffer, { code, answers }: { readonly code: number; readonly answers: readonly Buffer[] }): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(answers.length, 6)
  // Neither authority nor additional records.
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...answers])
}

function toRecord(address: string, ttl_s: number): Buffer {
  const record = Buffer.alloc(16)
  // A pointer to the name in the question.
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(A, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(ttl_s, 6)
  record.writeUInt16BE(4, 10)
  record.set(address.split('.').map(Number), 12)
  return record
}
