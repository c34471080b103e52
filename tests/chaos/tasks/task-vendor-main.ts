import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../random.ts'
import { ID_IN_TASK, taskPrompt, taskScriptOf, type TaskScript } from './task-script.ts'

/** Every vendor of tasks: it follows each task's script, and a tenth of its answers to questions are faults, none with the argument `steady`. */

type Json = Record<string, unknown>
type Task = { readonly script: TaskScript; readonly at: number; /** The client's own id for it. */ readonly external?: unknown }
type Reply = { readonly status?: number; readonly body: unknown; readonly type?: string }
type Phase = 'queued' | 'running' | 'success' | 'failure' | 'gone'

const tasks = new Map<string, Task>()
const accepted = new Map<string, number>()
const random = createRandom(7)
let relays: readonly string[] = []
const isSteady = process.argv[2] === 'steady'
/** Tasks that `open-tasks.ts` wrote without a submission. */
const ENDLESS: Task = { script: { ...taskScriptOf('k0-0'), kind: 'sora', course: 'endless', lasts_ms: 0 }, at: 0 }
const findTask = (id: string): Task | undefined => (id.startsWith('open-') ? ENDLESS : tasks.get(id))

const server = createServer((incoming, reply) => void answer(incoming, reply).catch(() => reply.destroy()))
server.keepAliveTimeout = 30_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  process.stdout.write(`${port}\n`)
})

async function answer(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array)) // a request yields buffers
  const text = Buffer.concat(chunks).toString()
  const body = text === '' ? {} : (JSON.parse(text) as Json)
  const url = incoming.url ?? ''
  const id = incoming.method === 'POST' ? ID_IN_TASK.exec(text)?.[1] : undefined
  if (id !== undefined) return await take(taskScriptOf(id), body, reply)
  const { status = 200, body: given, type = 'application/json' } = withFault(route(url, body), url)
  if (status === 0) return void reply.socket?.resetAndDestroy()
  reply.writeHead(status, { 'content-type': type }).end(typeof given === 'string' ? given : JSON.stringify(given))
}

const FAULTS: readonly Reply[] = [{ status: 500, body: {} }, { status: 429, body: {} }, { body: '{"data": [{"id' }, { status: 0, body: '' }]

const withFault = (right: Reply, url: string): Reply => (!isSteady && isQuestion(url) && random.chance(0.1) ? random.pick(FAULTS) : right)

const isQuestion = (url: string): boolean => !url.startsWith('/chaos/') && !url.startsWith('/media/')

function route(url: string, body: Json): Reply {
  if (url === '/chaos/accepted') return { body: Object.fromEntries(accepted) }
  if (url === '/chaos/relays') {
    relays = body['relays'] as string[] // sent by startTaskVendor
    return { body: {} }
  }
  const last = (url.split('?')[0] ?? '').split('/').at(-1) ?? ''
  if (url.startsWith('/media/')) return readMedia(last.replace(/\..*/, ''), last.endsWith('.png') ? 'image/png' : 'video/mp4')
  if (url.endsWith('/content')) return readMedia(url.split('/').at(-2) ?? '', 'video/mp4')
  if (url === '/mj/task/list-by-condition') return { body: listed(body, describeDrawing) }
  if (url === '/suno/fetch') return { body: { code: 'success', message: '', data: listed(body, describeSong) } }
  const lists = /^\/v1\/videos(?:\/(?:text2video|image2video))?\?/.exec(url)
  if (lists !== null) return { body: listVideos(lists[0].includes('2video') ? 'kling' : 'sora') }
  const id = url.includes('Action=') ? String(body['task_id']) : last === 'creations' ? (url.split('/').at(-2) ?? '') : last
  const task = findTask(id)
  const phase = task === undefined ? 'gone' : phaseOf(task)
  if (task === undefined || phase === 'gone') return { status: 404, body: { code: 404, message: 'not found' } }
  return { body: describeVideo(id, task.script, phase) }
}

/** The newest tasks of one kind, as the vendor lists them. */
function listVideos(kind: 'sora' | 'kling'): Json {
  const made = [...tasks].filter(([, { script }]) => script.kind === kind).slice(-100)
  const data = made.toReversed().map(([id, { script, at, external }]) => ({
    id,
    task_id: id,
    prompt: taskPrompt(script.id),
    created_at: Math.floor(at / 1000),
    status: 'queued',
    task_status: 'submitted',
    task_info: { external_task_id: external },
  }))
  return kind === 'kling' ? { code: 0, data } : { data }
}

function listed(body: Json, describe: (id: string, task: Task, phase: Phase) => Json): Json[] {
  const ids = body['ids'] as string[] // the gateway's question
  return ids.flatMap((id) => {
    const task = findTask(id)
    const phase = task === undefined ? 'gone' : phaseOf(task)
    return task === undefined || phase === 'gone' ? [] : [describe(id, task, phase)]
  })
}

function readMedia(id: string, type: string): Reply {
  const task = tasks.get(id)
  if (task === undefined || task.script.course === 'expired-media') return { status: 410, body: { message: 'expired' } }
  return { body: type === 'image/png' ? '\u0089PNG\r\n\u001A\n' : 'a video', type }
}

const FLIP_MS = 3000

function phaseOf({ script: { course, lasts_ms }, at }: Task): Phase {
  const age = Date.now() - at
  if (course === 'forgotten') return 'gone'
  if (age < lasts_ms / 3) return 'queued'
  if (course === 'endless' || age < lasts_ms) return 'running'
  const hasChanged = age > lasts_ms + FLIP_MS
  if (course === 'failure' || course === (hasChanged ? 'success-then-failure' : 'failure-then-success')) return 'failure'
  return 'success'
}

const WORDS = {
  drawing: { queued: 'SUBMITTED', running: 'IN_PROGRESS', success: 'SUCCESS', failure: 'FAILURE', gone: '' },
  sora: { queued: 'queued', running: 'in_progress', success: 'completed', failure: 'failed', gone: '' },
  kling: { queued: 'submitted', running: 'processing', success: 'succeed', failure: 'failed', gone: '' },
  jimeng: { queued: 'in_queue', running: 'generating', success: 'done', failure: 'done', gone: '' },
  vidu: { queued: 'queueing', running: 'processing', success: 'success', failure: 'failed', gone: '' },
  doubao: { queued: 'queued', running: 'running', success: 'succeeded', failure: 'failed', gone: '' },
} as const satisfies Record<string, Record<Phase, string>>

const addressOf = (name: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/media/${name}`

function describeDrawing(id: string, { script, at }: Task, phase: Phase): Json {
  return {
    id,
    action: 'IMAGINE',
    status: WORDS.drawing[phase],
    progress: phase === 'running' ? `${Math.min(99, Math.floor((Date.now() - at) / 100))}%` : '0%',
    prompt: `A boat at night. Task ${script.id}.`,
    imageUrl: phase === 'success' ? addressOf(`${id}.png`) : '',
    failReason: phase === 'failure' ? 'banned prompt' : '',
    buttons: [],
  }
}

const describeSong = (task_id: string, _task: Task, phase: Phase): Json => ({
  task_id,
  status: WORDS.drawing[phase],
  progress: phase === 'running' ? '50%' : '0%',
  fail_reason: phase === 'failure' ? 'no melody' : '',
  data: phase === 'success' ? [{ id: task_id, audio_url: addressOf(`${task_id}.mp3`) }] : [],
})

function describeVideo(id: string, { kind }: TaskScript, phase: Phase): Json {
  const url = phase === 'success' ? addressOf(`${id}.mp4`) : ''
  const error = phase === 'failure' ? { code: 'moderation', message: 'banned prompt' } : null
  if (kind === 'kling') {
    const task_result = url === '' ? {} : { videos: [{ url }] }
    return { code: 0, data: { task_id: id, task_status: WORDS.kling[phase], task_status_msg: error?.message ?? '', task_result } }
  }
  if (kind === 'jimeng') return { code: 10_000, message: 'Success', data: { status: WORDS.jimeng[phase], video_url: url } }
  if (kind === 'vidu') return { state: WORDS.vidu[phase], creations: url === '' ? [] : [{ url }], err_code: error?.code ?? '' }
  if (kind === 'doubao') return { id, status: WORDS.doubao[phase], content: { video_url: url }, error }
  return { id, object: 'video', status: WORDS.sora[phase], progress: phase === 'running' ? 50 : 0, error }
}

async function take(script: TaskScript, body: Json, reply: ServerResponse): Promise<void> {
  const send = (status: number, text: string): void => void reply.writeHead(status, { 'content-type': 'application/json' }).end(text)
  if (script.answer === '429' || script.answer === '500') return send(Number(script.answer), '{"description":"scripted"}')
  if (script.answer === 'garbage') return send(200, '{"code": 1, "resu')
  const id = script.id.replace('k', 'v')
  accepted.set(script.id, (accepted.get(script.id) ?? 0) + 1)
  tasks.set(id, { script, at: Date.now(), external: body['external_task_id'] })
  if (script.answer === 'reset') return void reply.socket?.resetAndDestroy()
  if (script.answer === 'slow') await wait(1500)
  send(200, JSON.stringify(acceptance(script, id)))
  const hook = body['notifyHook']
  const hasEnd = script.course !== 'endless' && script.course !== 'forgotten'
  if (script.isNotified && hasEnd && typeof hook === 'string') setTimeout(() => notify(hook), script.lasts_ms)
}

function acceptance({ kind }: TaskScript, id: string): Json {
  if (kind === 'midjourney') return { code: 1, description: 'Submit success', result: id, properties: {} }
  if (kind === 'suno') return { code: 'success', message: '', data: id }
  if (kind === 'kling') return { code: 0, data: { task_id: id } }
  if (kind === 'jimeng') return { code: 10_000, message: 'Success', data: { task_id: id } }
  return kind === 'vidu' ? { task_id: id, state: 'created' } : { id, status: 'queued' }
}

/** Reports an end twice at once, to any relay. A relay that is down misses it. */
function notify(hook: string): void {
  const { pathname, search } = new URL(hook)
  for (let times = 0; times < 2; times += 1)
    void fetch(random.pick(relays) + pathname + search, { method: 'POST', body: '{"status":"FAILURE"}' }).then(
      (got) => got.arrayBuffer(),
      () => undefined,
    )
}
