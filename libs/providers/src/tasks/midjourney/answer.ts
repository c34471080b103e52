import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { isObject, type JsonObject } from '../../json.ts'
import { integerOf, objectOf, textOf } from '../fields.ts'
import { withoutObject } from '../refusal.ts'
import type { SubmitRead } from '../task-family.ts'
import { stateOfStatus } from './report.ts'

/** Codes of an accepted submission: 1 accepted, 21 the task exists already, 22 queued. */
const ACCEPTED: readonly number[] = [1, 21, 22]
const EXISTS = 21
const NO_ACCOUNT = 3
const SATURATED = 30
/** They wait for a second submission, `modal`, which is charged instead; the client must see their code 21. */
const OPENS_MODAL: readonly string[] = ['INPAINT', 'CUSTOM_ZOOM']

/** Reads the answer to a submission. Refusals with status 200 are answers too: the client gets them unchanged, and they cost nothing. */
export function readSubmission(action: string, status: number, body: unknown): SubmitRead {
  if (!isObject(body) && status === 429) return failed({ kind: 'limited', message: '', code: '30' }, 429)
  if (!isObject(body))
    return failed(withoutObject(status, body === undefined ? 'empty_response_body' : 'unmarshal_response_body_failed'), status)
  const code = integerOf(body, 'code')
  const description = textOf(body, 'description')
  if (status === 429 || code === SATURATED) return failed({ kind: 'limited', message: description, code: '30' }, 429)
  if (status !== 200)
    return failed({ kind: 'refused', message: `${description} ${textOf(body, 'result')}`.trim(), code: String(code) }, status)
  const vendor_task_id = textOf(body, 'result')
  const isAccepted = ACCEPTED.includes(code) && (vendor_task_id !== '' || action === 'UPLOAD')
  if (!isAccepted && (ACCEPTED.includes(code) || code === 0))
    return failed({ kind: 'malformed', message: 'unmarshal_response_body_failed' }, status)
  const properties = objectOf(body, 'properties')
  const shown = isAccepted ? shownOf(action, code, properties) : { state: 'failure' as const, status: 'FAILURE', progress: '100%' }
  return {
    kind: 'task',
    vendor_task_id: isAccepted ? vendor_task_id : '',
    ...shown,
    code,
    description: description.slice(0, 300),
    fail_reason: isAccepted ? '' : description.slice(0, 300),
    image_url: code === EXISTS ? textOf(properties, 'imageUrl') : action === 'UPLOAD' ? firstUrl(body) : '',
    verdict: isAccepted ? priceOf(action, code) : 'refused',
    ...(code === NO_ACCOUNT ? { disable_reason: 'No available account instance' } : {}),
    answer: (task_id) => answerOf(body, { action, code, task_id: isAccepted ? task_id : undefined }),
  }
}

/** A swapped face costs nothing while it waits in a queue: its client pays for code 1 only. */
function priceOf(action: string, code: number): 'charged' | 'free' {
  return OPENS_MODAL.includes(action) || (action === 'SWAP_FACE' && code !== 1) ? 'free' : 'charged'
}

const failed = (failure: Omit<UpstreamFailure, 'status'>, status: number): SubmitRead => ({
  kind: 'failed',
  failure: { ...failure, status },
})

function shownOf(action: string, code: number, properties: JsonObject) {
  if (action === 'UPLOAD') return { state: 'success' as const, status: 'SUCCESS', progress: '100%' }
  const status = code === EXISTS ? textOf(properties, 'status') : ''
  return { state: status === '' ? ('submitted' as const) : stateOfStatus(status), status, progress: status === 'SUCCESS' ? '100%' : '0%' }
}

/** Uploads answer with the addresses of their images. */
function firstUrl({ result }: JsonObject): string {
  const found = Array.isArray(result) ? (result as unknown[])[0] : result
  return typeof found === 'string' && found.startsWith('http') ? found : ''
}

type Answering = { readonly action: string; readonly code: number; readonly task_id: string | undefined }

function answerOf(body: JsonObject, { action, code, task_id }: Answering): JsonObject {
  const isRewritten = code === 22 || (code === EXISTS && !OPENS_MODAL.includes(action))
  // The result of an upload is its images.
  const result = task_id === undefined || action === 'UPLOAD' ? {} : { result: task_id }
  return { ...body, ...result, ...(isRewritten ? { code: 1 } : {}) }
}
