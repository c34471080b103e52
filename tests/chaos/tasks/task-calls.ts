import { TASK_KINDS, taskPrompt, taskScriptOf, type TaskKind } from './task-script.ts'

/** A client's calls about the task whose script has the id `id`. */
type TaskCaller = { readonly relay: string; readonly key: string; readonly id: string }

/** `undefined`: the relay did not answer; `task_id` is empty unless the task was taken. */
export async function submitTask({ relay, key, id }: TaskCaller): Promise<{ status: number; task_id: string } | undefined> {
  const { kind } = taskScriptOf(id)
  const answer = await call(relay + SUBMIT_PATHS[kind], key, bodyOf(kind, id))
  return answer === undefined ? undefined : { status: answer.status, task_id: idIn(kind, answer.body) }
}

/** The end of a task if the relay reports one, and the status of the media of a task that succeeded; 0 without media. */
export async function readTask(
  { relay, key, id }: TaskCaller,
  task_id: string,
): Promise<{ end: 'success' | 'failure'; media_status: number } | undefined> {
  const { kind } = taskScriptOf(id)
  const drawing = kind === 'midjourney' ? `/mj/task/${task_id}/fetch` : `/suno/fetch/${task_id}`
  const path = kind === 'midjourney' || kind === 'suno' ? drawing : `/v1/videos/${task_id}`
  const answer = await call(relay + path, key)
  const end = answer?.status === 200 ? endIn(answer.body) : undefined
  if (end === undefined) return undefined
  if (end !== 'success' || kind === 'suno') return { end, media_status: 0 }
  const media = kind === 'midjourney' ? `/mj/image/${task_id}` : `${path}/content`
  return { end, media_status: (await call(relay + media, key))?.status ?? 0 }
}

const SUBMIT_PATHS: Readonly<Record<TaskKind, string>> = {
  midjourney: '/mj/submit/imagine',
  suno: '/suno/submit/music',
  sora: '/v1/videos',
  kling: '/v1/video/generations',
  jimeng: '/v1/videos',
  vidu: '/v1/video/generations',
  doubao: '/v1/videos',
}

const bodyOf = (kind: TaskKind, id: string): object =>
  kind === 'midjourney' || kind === 'suno' ? { prompt: taskPrompt(id) } : { prompt: taskPrompt(id), model: TASK_KINDS[kind].model }

type Json = Readonly<Record<string, unknown>>

function idIn(kind: TaskKind, body: Json): string {
  const id = kind === 'midjourney' && body['code'] === 1 ? body['result'] : kind === 'suno' ? body['data'] : (body['id'] ?? body['task_id'])
  return typeof id === 'string' ? id : ''
}

const ENDS_OF: Readonly<Record<string, 'success' | 'failure'>> = {
  SUCCESS: 'success',
  completed: 'success',
  FAILURE: 'failure',
  failed: 'failure',
}

function endIn(body: Json): 'success' | 'failure' | undefined {
  const of = typeof body['data'] === 'object' && body['data'] !== null ? (body['data'] as Json) : body
  return typeof of['status'] === 'string' ? ENDS_OF[of['status']] : undefined
}

const TIMEOUT_MS = 20_000

/** `undefined`: the relay did not answer. */
async function call(url: string, key: string, body?: object): Promise<{ status: number; body: Json } | undefined> {
  try {
    const answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { status: answer.status, body: isJson ? (JSON.parse(text) as Json) : {} }
  } catch {
    return undefined
  }
}
