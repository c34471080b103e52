import type { JobResult } from '@tollgate/jobs/jobs'
import type { ProbeResult } from '@tollgate/upstream/probe'

/** The test of one model of a channel, with what it says about the channel's health. */
export type ChannelTestResult = {
  readonly result: JobResult<'test-channel'>
  readonly model: string
  readonly probe?: ProbeResult
  readonly key_id: string
}
