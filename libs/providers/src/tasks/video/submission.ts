import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import type { JsonObject } from '../../json.ts'
import { integerOf, textOf } from '../fields.ts'
import type { SubmitRead, TaskRequest, TaskTarget } from '../task-family.ts'
import { findVideoVendor } from './index.ts'
import { renderVideo, type ShownVideo } from './render-video.ts'
import type { VideoRequest } from './video-request.ts'
import { mostTokens } from './video-tokens.ts'
import type { VideoSubmission, VideoVendor } from './video-vendor.ts'

/** A task in the format of the client that submitted it. */
export type RenderVideo = (task: ShownVideo) => JsonObject

/** A client's request for a video as a submission, which the vendor of the chosen channel encodes. */
export function toVideoTask(request: VideoRequest, render: RenderVideo = renderVideo): TaskRequest {
  const { model, prompt, seconds, size, metadata, callback_url } = request
  const properties = { ...(seconds === undefined ? {} : { seconds: String(seconds) }), ...(size === '' ? {} : { size: size.slice(0, 32) }) }
  const madeBy = (target: TaskTarget) => ({ ...request, model: target.model, seconds: seconds ?? target.seconds })
  return {
    model,
    action: 'VIDEO',
    prompt,
    source: undefined,
    callback_url,
    priced: {
      video: {
        seconds,
        size: size === '' ? textOf(metadata, 'resolution') : size,
        mode: textOf(metadata, 'mode'),
        tokens: mostTokens(request),
      },
    },
    properties,
    encode: ({ target, task_id }) => vendorOf(target.channelType).submit(madeBy(target), task_id),
    deadlineFor: (channelType) => vendorOf(channelType).deadlineOf?.(request),
    answerUnclear: (task_id, submit_time) => render(toShown({ model, prompt, properties }, { task_id, submit_time })),
    read: (status, body, target) => {
      const read = vendorOf(target.channelType).readSubmission(status, body, madeBy(target))
      if (read.kind === 'failed') return read
      const made = read.seconds ?? target.seconds
      return accepted(
        read,
        { model, prompt, properties: made === undefined ? properties : { ...properties, seconds: String(made) } },
        render,
      )
    },
  }
}

type Remix = { readonly source: TaskRecord; readonly prompt: string; readonly callback_url: string }

/** A finished video that its vendor makes again with another prompt. Model, length and size, and with them the price, stay. */
export function toVideoRemix({ source, prompt, callback_url }: Remix): TaskRequest {
  const { model, task_id } = source
  const [seconds, size] = [textOf(source.properties, 'seconds'), textOf(source.properties, 'size')]
  const properties = { ...(seconds === '' ? {} : { seconds }), ...(size === '' ? {} : { size }), remixed_from: task_id }
  const request: VideoRequest = { model, prompt, images: [], seconds: undefined, size, metadata: {}, callback_url }
  return {
    model,
    action: 'VIDEO',
    prompt,
    source: { task_id, must_have_succeeded: true },
    callback_url,
    priced: { video: { seconds: seconds === '' ? undefined : integerOf(source.properties, 'seconds'), size, mode: '' } },
    properties,
    encode: ({ target, source_vendor_id }) => {
      const call = vendorOf(target.channelType).remix?.(source_vendor_id, prompt)
      if (call === undefined) throw new Error(`channel type ${target.channelType} remixes no videos`)
      return call
    },
    read: (status, body, target) => {
      const read = vendorOf(target.channelType).readSubmission(status, body, request)
      return read.kind === 'failed' ? read : accepted(read, { model, prompt, properties }, renderVideo)
    },
    answerUnclear: (task_id, submit_time) => renderVideo(toShown({ model, prompt, properties }, { task_id, submit_time })),
  }
}

function vendorOf(channelType: number): VideoVendor {
  const vendor = findVideoVendor(channelType)
  if (vendor === undefined) throw new Error(`channel type ${channelType} makes no videos`)
  return vendor
}

type Shown = { readonly model: string; readonly prompt: string; readonly properties: Readonly<Record<string, string>> }

type Taken = Extract<VideoSubmission, { kind: 'accepted' }>

function accepted({ vendor_task_id, seconds }: Taken, facts: Shown, render: RenderVideo): SubmitRead {
  return {
    kind: 'task',
    vendor_task_id,
    state: 'submitted',
    status: 'SUBMITTED',
    code: 1,
    progress: '0%',
    description: '',
    fail_reason: '',
    image_url: '',
    verdict: 'charged',
    properties: facts.properties,
    ...(seconds === undefined ? {} : { seconds }),
    answer: (task_id, submit_time) => render(toShown(facts, { task_id, submit_time })),
  }
}

const toShown = (facts: Shown, at: Pick<ShownVideo, 'task_id' | 'submit_time'>): ShownVideo => ({
  ...facts,
  ...at,
  state: 'submitted',
  progress: '0%',
  fail_reason: '',
  media: [],
  finish_time: 0,
})
