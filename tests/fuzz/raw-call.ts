import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A request as bytes on a plain socket, so that no HTTP library repairs what a case breaks. */
export type RawRequest = {
  readonly method: string
  /** Path and query as they are sent. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
  /** Closes the connection after this many bytes of the body. */
  readonly cutAfter?: number
  /** Sends the body in chunks with `Transfer-Encoding: chunked`. */
  readonly isChunked?: boolean
  /** Replaces the computed Content-Length. */
  readonly contentLength?: string
}

export type RawAnswer = {
  /** 0: no response arrived. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** `complete`: the response ended as its framing says. `cut`: it did not. `timeout`: no end within the limit. */
  readonly ending: 'complete' | 'cut' | 'timeout' | 'left'
  readonly ms: number
}

const MAX_ANSWER = 64 * 1024 * 1024

/** Sends the request and reads one response. */
export function sendRaw(url: string, request: RawRequest, timeoutMs: number): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const started = performance.now()
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, noDelay: true })
    const reader = new ResponseReader(request.method)
    let isOver = false
    const end = (ending: RawAnswer['ending']): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      socket.destroy()
      const { status, headers, body } = reader
      resolve({ status, headers, body: decompressed(body(), headers.get('content-encoding')), ending, ms: performance.now() - started })
    }
    const timer = setTimeout(() => end('timeout'), timeoutMs)
    socket.on('data', (chunk: Buffer) => {
      reader.push(chunk)
      if (reader.isComplete || reader.size > MAX_ANSWER) end(reader.size > MAX_ANSWER ? 'cut' : 'complete')
    })
    socket.on('error', () => end(reader.isCompleteAtClose() ? 'complete' : 'cut'))
    socket.on('close', () => end(reader.isCompleteAtClose() ? 'complete' : 'cut'))
    write(socket, request, () => end('left'))
  })
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }

/** A cut body stays as it is. */
function decompressed(bytes: Buffer, encoding: string | undefined): Buffer {
  const decode = decoders[encoding ?? '']
  if (decode === undefined || bytes.length === 0) return bytes
  try {
    return decode(bytes)
  } catch {
    // The checks report a body that cannot be read.
    return bytes
  }
}

function write(socket: Socket, request: RawRequest, onLeft: () => void): void {
  const { method, target, headers, body, cutAfter, isChunked, contentLength } = request
  const framing = isChunked === true ? 'Transfer-Encoding: chunked' : `Content-Length: ${contentLength ?? body.length}`
  const hasBody = body.length > 0 || contentLength !== undefined || isChunked === true || method !== 'GET'
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), ...(hasBody ? [framing] : [])]
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`, 'latin1'))
  const framed = isChunked === true ? inChunks(body) : body
  if (cutAfter === undefined) return void socket.write(framed)
  socket.write(framed.subarray(0, cutAfter), () => {
    setTimeout(() => {
      socket.destroy()
      onLeft()
    }, 5)
  })
}

function inChunks(body: Buffer): Buffer {
  const size = Math.max(1, Math.ceil(body.length / 3))
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

/** Reads one response by its own framing. */
class ResponseReader {
  status = 0
  headers: ReadonlyMap<string, string> = new Map()
  isComplete = false
  size = 0
  readonly #isHead: boolean
  #rest: Buffer = Buffer.alloc(0)
  #parts: Buffer[] = []
  #state: 'head' | 'length' | 'chunk-size' | 'chunk' | 'trailer' | 'close' | 'done' = 'head'
  #left = 0

  constructor(method: string) {
    this.#isHead = method === 'HEAD'
  }

  body = (): Buffer => Buffer.concat(this.#parts)
  /** A body without length or chunks ends with the connection. */
  isCompleteAtClose = (): boolean => this.isComplete || this.#state === 'close'

  push(chunk: Buffer): void {
    this.size += chunk.length
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (this.#step());
  }

  #step(): boolean {
    if (this.#state === 'head') return this.#readHead()
    if (this.#state === 'length' || this.#state === 'chunk') return this.#readPart()
    if (this.#state === 'chunk-size' || this.#state === 'trailer') return this.#readLine()
    if (this.#state === 'close' && this.#rest.length > 0) this.#take(this.#rest.length)
    return false
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf('\r\n\r\n')
    if (end === -1) return false
    const [first = '', ...lines] = this.#rest.subarray(0, end).toString('latin1').split('\r\n')
    this.#rest = this.#rest.subarray(end + 4)
    const status = Number(first.split(' ')[1])
    if (status === 100) return true
    this.status = status
    this.headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
    const length = this.headers.get('content-length')
    if (this.#isHead || status === 204 || status === 304 || status === 101) this.#finish()
    else if (this.headers.get('transfer-encoding') === 'chunked') this.#state = 'chunk-size'
    else if (length === undefined) this.#state = 'close'
    else {
      this.#left = Number(length)
      this.#state = 'length'
      if (this.#left === 0) this.#finish()
    }
    return true
  }

  #readPart(): boolean {
    if (this.#rest.length === 0) return false
    const size = Math.min(this.#rest.length, this.#left)
    this.#take(size)
    this.#left -= size
    if (this.#left > 0) return false
    if (this.#state === 'length') this.#finish()
    else this.#state = 'trailer'
    return true
  }

  /** The line before a chunk, or the empty line after it. */
  #readLine(): boolean {
    const end = this.#rest.indexOf('\r\n')
    if (end === -1) return false
    const line = this.#rest.subarray(0, end).toString('latin1')
    this.#rest = this.#rest.subarray(end + 2)
    if (this.#state === 'trailer') {
      this.#state = 'chunk-size'
      return true
    }
    this.#left = Number.parseInt(line, 16)
    if (this.#left > 0) this.#state = 'chunk'
    else this.#finish()
    return true
  }

  #take(size: number): void {
    this.#parts.push(this.#rest.subarray(0, size))
    this.#rest = this.#rest.subarray(size)
  }

  #finish(): void {
    this.isComplete = true
    this.#state = 'done'
  }
}
