import type { TaskFamily } from '@tollgate/contracts/tasks/tasks'
import { midjourney } from './midjourney/report.ts'
import { suno } from './suno/suno.ts'
import type { TaskFamilyCodec } from './task-family.ts'
import { videoFamilies } from './video/index.ts'

/** Every family that can be polled. */
const families: readonly TaskFamilyCodec[] = [midjourney, suno, ...videoFamilies]

/** The codec for a task; undefined: its channel's type does not serve the family. */
export function findTaskFamily(family: TaskFamily, channelType: number): TaskFamilyCodec | undefined {
  return families.find((codec) => codec.family === family && codec.channelTypes.includes(channelType))
}
