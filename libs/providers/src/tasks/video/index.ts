import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import type { TaskFamilyCodec } from '../task-family.ts'
import { doubaoVideo } from './doubao-video.ts'
import { geminiVideo } from './gemini-video.ts'
import { jimeng } from './jimeng.ts'
import { kling } from './kling.ts'
import { sora } from './sora.ts'
import type { VideoVendor } from './video-vendor.ts'
import { vertexVideo } from './vertex-video.ts'
import { vidu } from './vidu.ts'

const vendors: readonly VideoVendor[] = [kling, jimeng, vidu, doubaoVideo, sora, geminiVideo, vertexVideo]

/** The vendor of a channel type; undefined: it makes no videos. */
export function findVideoVendor(channelType: number): VideoVendor | undefined {
  return vendors.find((one) => one.channelType === channelType)
}

/** Every vendor of videos as a family of its channel type. They are asked about one video at a time. */
export const videoFamilies: readonly TaskFamilyCodec[] = vendors.map((vendor) => ({
  family: 'video',
  channelTypes: [vendor.channelType],
  platform: vendor.platform,
  credential: vendor.credential,
  deadline_ms: 3_600_000,
  deadline_reason: TASK_FAILURES.expired,
  batch: 1,
  // A thousand due videos of one channel are asked about within their lease.
  at_once: 8,
  poll: ([id = '']) => vendor.poll(id),
  readReports: (body, [id = '']) => {
    const report = vendor.readReport(id, body)
    return report === undefined ? undefined : [report]
  },
  ...(vendor.signing === undefined ? {} : { signing: vendor.signing }),
  ...(vendor.urlFor === undefined ? {} : { urlFor: vendor.urlFor }),
  ...(vendor.bytesIn === undefined ? {} : { bytesIn: vendor.bytesIn }),
  ...(vendor.content === undefined ? {} : { content: vendor.content }),
  ...(vendor.billsTokens === undefined ? {} : { billsTokens: vendor.billsTokens }),
  ...(vendor.lost === undefined ? {} : { lost: vendor.lost }),
  ...(vendor.remove === undefined ? {} : { remove: vendor.remove }),
}))
