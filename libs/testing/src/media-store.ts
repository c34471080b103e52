import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const KEY = { id: 'STOREKEY', secret: 'store/secret+1', region: 'eu-test-1', bucket: 'videos-bucket' } as const

type Stored = { readonly type: string; readonly body: Buffer; readonly parts: number }
type Upload = { readonly path: string; readonly type: string; readonly parts: Map<number, Buffer> }

/**
 * A store with the part of S3's API that the gateway uses: objects, ranges and multipart uploads, all calls signed.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html (2026-11-24)
 */
export class ScriptedMediaStore {
  readonly objects = new Map<string, Stored>()
  /** Calls of this kind that are answered with 503. */
  failing = 0
  readonly #uploads = new Map<string, Upload>()
  #server: Server | undefined
  #url = ''

  async start(): Promise<void> {
    const server = createServer((incoming, reply) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => this.#answer(incoming, Buffer.concat(chunks), reply))
    })
    this.#server = server
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    this.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  env(): Record<string, string> {
    return {
      MEDIA_STORE_URL: this.#url,
      MEDIA_STORE_BUCKET: KEY.bucket,
      MEDIA_STORE_REGION: KEY.region,
      MEDIA_STORE_KEY_ID: KEY.id,
      MEDIA_STORE_SECRET: KEY.secret,
    }
  }

  #answer(incoming: IncomingMessage, body: Buffer, reply: ServerResponse): void {
    const { method = '', headers } = incoming
    const { pathname, searchParams } = new URL(incoming.url ?? '', this.#url)
    if (!isSigned(incoming)) return void reply.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    if (this.failing > 0) {
      this.failing -= 1
      return void reply.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
    }
    const path = pathname.replace(`/${KEY.bucket}/`, '')
    const type = headers['content-type'] ?? ''
    const upload = this.#uploads.get(searchParams.get('uploadId') ?? '')
    if (method === 'POST' && searchParams.has('uploads')) return this.#begin({ path, type, parts: new Map() }, reply)
    if (method === 'PUT' && upload !== undefined) {
      upload.parts.set(Number(searchParams.get('partNumber')), body)
      return void reply.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end()
    }
    if (method === 'POST' && upload !== undefined) return this.#complete(upload, reply)
    if (method === 'PUT') this.objects.set(path, { type, body, parts: 1 })
    if (method === 'GET') return this.#send(path, headers.range, reply)
    if (method === 'DELETE') this.objects.delete(path)
    reply.writeHead(method === 'DELETE' ? 204 : 200).end()
  }

  #begin(upload: Upload, reply: ServerResponse): void {
    const id = randomUUID()
    this.#uploads.set(id, upload)
    const names = `<Bucket>${KEY.bucket}</Bucket><Key>${upload.path}</Key><UploadId>${id}</UploadId>`
    sendXml(reply, `<InitiateMultipartUploadResult>${names}</InitiateMultipartUploadResult>`)
  }

  #complete({ path, type, parts }: Upload, reply: ServerResponse): void {
    const body = Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part))
    this.objects.set(path, { type, body, parts: parts.size })
    sendXml(reply, `<CompleteMultipartUploadResult><Key>${path}</Key><ETag>"whole"</ETag></CompleteMultipartUploadResult>`)
  }

  #send(path: string, range: string | undefined, reply: ServerResponse): void {
    const found = this.objects.get(path)
    if (found === undefined) return void reply.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    const { type, body } = found
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    const part = from === undefined ? body : body.subarray(Number(from), Number(to) + 1)
    const head = { 'content-type': type, 'content-length': part.length, 'accept-ranges': 'bytes' }
    if (from === undefined) reply.writeHead(200, head).end(part)
    else reply.writeHead(206, { ...head, 'content-range': `bytes ${from}-${to}/${body.length}` }).end(part)
  }
}

function sendXml(reply: ServerResponse, text: string): void {
  reply.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
}

/** Written from the specification, without AWS's code: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function isSigned({ method, url = '', headers }: IncomingMessage): boolean {
  const found = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  )
  const [, id, day = '', region = '', names = '', signature = ''] = found ?? []
  if (id !== KEY.id || region !== KEY.region) return false
  const [path = '', query = ''] = url.split('?')
  const pairs = query === '' ? [] : query.split('&').map((pair) => (pair.includes('=') ? pair : `${pair}=`))
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const digest = String(headers['x-amz-content-sha256'])
  const canonical = [method, path, pairs.toSorted().join('&'), signed.join(''), names, digest].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const hmac = (key: string | Buffer, value: string): Buffer => createHmac('sha256', key).update(value).digest()
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${KEY.secret}`, day))
  return createHmac('sha256', key).update(text).digest('hex') === signature
}
