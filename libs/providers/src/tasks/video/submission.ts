import type { SubmitRead, TaskRequest } from '../task-family.ts'
import { findVideoVendor } from './index.ts'
import { pricedVideo } from './price-units.ts'
import { renderVideo } from './render-video.ts'
import type { VideoRequest } from './video-request.ts'
import type { VideoVendor } from './video-vendor.ts'

/** A client's request for a video as a submission, which the vendor of the chosen channel encodes. */
export function toVideoTask(request: VideoRequest): TaskRequest {
  const { model, prompt, seconds, size } = request
  const priced = pricedVideo(request)
  const properties = { ...(seconds === undefined ? {} : { seconds: String(seconds) }), ...(size === '' ? {} : { size: size.slice(0, 32) }) }
  return {
    model,
    action: 'VIDEO',
    prompt,
    source: undefined,
    callback_url: '',
    ...(priced === undefined ? {} : { priced: { video: priced } }),
    properties,
    encode: ({ target }) => vendorOf(target.channelType).submit({ ...request, model: target.model }),
    read: (status, body, target) => {
      const read = vendorOf(target.channelType).readSubmission(status, body, { ...request, model: target.model })
      return read.kind === 'failed' ? read : accepted(read.vendor_task_id, { model, prompt, properties })
    },
  }
}

function vendorOf(channelType: number): VideoVendor {
  const vendor = findVideoVendor(channelType)
  if (vendor === undefined) throw new Error(`channel type ${channelType} makes no videos`)
  return vendor
}

type Shown = { readonly model: string; readonly prompt: string; readonly properties: Readonly<Record<string, string>> }

function accepted(vendor_task_id: string, shown: Shown): SubmitRead {
  const state = 'submitted'
  const progress = '0%'
  return {
    kind: 'task',
    vendor_task_id,
    state,
    status: 'SUBMITTED',
    code: 1,
    progress,
    description: '',
    fail_reason: '',
    image_url: '',
    is_charged: true,
    answer: (task_id, submit_time) =>
      renderVideo({ ...shown, task_id, state, progress, fail_reason: '', media: [], submit_time, finish_time: 0 }),
  }
}
