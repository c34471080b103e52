import type { ModelRequest } from '../../chat/model-request.ts'
import { objectAt, objectsAt, textAt, type JsonObject } from '../../json.ts'
import { imageObstacle, imagesAnswer } from '../../calls/image-files.ts'
import type { FormAnswer, VendorForm } from '../../calls/vendor-form.ts'
import type { FollowUp } from '../../calls/follow-up.ts'
import { decodeAliError, readParameters } from './parameters.ts'

/**
 * Images of DashScope as a task, for models that have nothing else. The call waits until the task has ended.
 * https://www.alibabacloud.com/help/en/model-studio/text-to-image-v2-api-reference (2026-11-24)
 */
export const aliImageTasks: VendorForm = {
  format: 'ali-image-tasks',
  obstacle: imageObstacle,
  encode: ({ request }, model) => encodeTask(request, model),
  readAnswer: (answer, { created }) => readTask(answer, created),
  decodeError: decodeAliError,
}

function encodeTask(request: ModelRequest, model: string): { body: JsonObject; warnings: readonly string[] } {
  const { parameters, warnings } = readParameters(request)
  const { negative_prompt, ...others } = parameters
  const input = { prompt: request.body['prompt'], ...(negative_prompt === undefined ? {} : { negative_prompt }) }
  return { body: { model, input, parameters: others }, warnings }
}

const WAIT_MS = 2000
const UNFINISHED = new Set(['PENDING', 'RUNNING'])

/** The task of an answer that is not the end of it. */
export function findTask(answer: unknown): FollowUp | undefined {
  const output = objectAt(answer, 'output')
  const id = textAt(output, 'task_id')
  if (id === undefined || !UNFINISHED.has(textAt(output, 'task_status') ?? '')) return undefined
  return { kind: 'poll', url: `../../../tasks/${encodeURIComponent(id)}`, wait_ms: WAIT_MS }
}

/** Some of several images may have failed; those that exist are the answer, and are charged. */
function readTask(answer: unknown, created: number): FormAnswer {
  const output = objectAt(answer, 'output')
  const results = objectsAt(output, 'results')
  const urls = results.flatMap((result) => textAt(result, 'url') ?? [])
  if (textAt(output, 'task_status') === 'SUCCEEDED' && urls.length > 0) return imagesAnswer(urls, created)
  const failed = [answer, output, ...results].find((place) => textAt(place, 'code') !== undefined)
  if (failed !== undefined) return { kind: 'failed', failure: decodeAliError(200, failed) }
  return { kind: 'failed', failure: { kind: 'malformed', message: 'the task ended without an image' } }
}
