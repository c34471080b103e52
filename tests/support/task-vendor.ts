import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Json = Record<string, unknown>
type Call = { readonly path: string; readonly headers: Record<string, unknown>; readonly body: Json }

export const MP4 = 'a video'
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

type Answer = { status?: number; body: unknown; type?: string; until?: Promise<void>; isCut?: boolean }
/** `isCut`: the connection breaks before the answer. */
export type SubmissionAnswer = { status?: number; body: Json | string; isCut?: boolean }

/** A scripted vendor of drawings and songs: what it says about a task is set by the test. */
export class TaskVendor {
  readonly calls: Call[] = []
  readonly tasks = new Map<string, Json>()
  /** Answers of the next submissions, in order; absent: accepted. */
  readonly submissions: SubmissionAnswer[] = []
  /** Answers of the next questions, in order; absent: the tasks. */
  readonly questions: { status: number; body: string; until?: Promise<void> }[] = []
  server: Server | undefined
  url = ''
  #next = 1000

  async start(): Promise<void> {
    const server = createServer((incoming, reply) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const path = incoming.url ?? ''
        const call = { path, headers: incoming.headers, body: text === '' ? {} : (JSON.parse(text) as Json) }
        this.calls.push(call)
        const { status = 200, body, type = 'application/json', until = Promise.resolve(), isCut } = this.#answer(call)
        if (isCut === true) return void incoming.socket.destroy()
        const send = () => reply.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body))
        void until.then(send)
      })
    })
    this.server = server
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  #answer({ path, body }: Call): Answer {
    if (path.endsWith('.mp4') || path.endsWith('/content')) return { body: MP4, type: 'video/mp4' }
    if (path.startsWith('/v1/videos')) return this.#answerVideo(path, body)
    if (path.endsWith('.png')) return { body: PNG.toString('latin1'), type: 'image/png' }
    if (path.endsWith('/image-seed')) return { body: { code: 1, result: '123456' } }
    const isQuestion = path.endsWith('/list-by-condition') || path === '/suno/fetch'
    if (isQuestion) {
      const scripted = this.questions.shift()
      if (scripted !== undefined) return scripted
      const ids = body['ids'] as string[]
      const found = ids.flatMap((id) => this.tasks.get(id) ?? [])
      return { body: path === '/suno/fetch' ? { code: 'success', message: '', data: found } : found }
    }
    const scripted = this.submissions.shift()
    if (scripted !== undefined) return scripted
    const id = String(this.#next++)
    if (path.startsWith('/suno')) {
      this.tasks.set(id, { task_id: id, status: 'IN_PROGRESS', progress: '30%' })
      return { body: { code: 'success', message: '', data: id } }
    }
    this.tasks.set(id, { id, status: 'SUBMITTED', progress: '0%', prompt: body['prompt'] })
    return { body: { code: 1, description: 'Submit success', result: id, properties: {} } }
  }

  /** Sora and Kling: a video is kept under what follows `/v1/videos/`. */
  #answerVideo(path: string, body: Json): Answer {
    const isKling = path === '/v1/videos/text2video'
    if (!isKling && path !== '/v1/videos') {
      const found = this.tasks.get(path.slice('/v1/videos/'.length))
      return found === undefined ? { status: 404, body: {} } : { body: found }
    }
    const scripted = this.submissions.shift()
    if (scripted !== undefined) return scripted
    const id = `video_${this.#next++}`
    const accepted = isKling
      ? { code: 0, data: { task_id: id } }
      : { id, object: 'video', status: 'queued', progress: 0, model: body['model'] }
    this.tasks.set(isKling ? `text2video/${id}` : id, accepted)
    return { body: accepted }
  }

  submitted(): Call {
    const found = this.calls.findLast(({ path }) => path.includes('/submit/') || path.includes('/insight-face/'))
    if (found === undefined) throw new Error('nothing was submitted')
    return found
  }
}
