import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import { describe, expect, it } from 'vitest'
import { createOpenRequests } from './open-requests.ts'

const progressOf = (request_id: string) => () => ({
  request_id,
  shard: 0,
  is_delivered: true,
  usage: ZERO_USAGE,
  channel_id: 1,
  channel_name: 'c',
  channel_type: 1,
  upstream_model: 'm',
  first_token_ms: 5,
})

describe('open requests', () => {
  it('are reported to the heartbeat after one second, so that at most 2 s of delivery are unknown', () => {
    let now = 0
    const open = createOpenRequests(() => now)
    open.open('old', progressOf('old'), () => undefined)
    now = 600
    open.open('young', progressOf('young'), () => undefined)

    now = 999
    expect(open.listProgress()).toEqual([])
    now = 1000
    expect(open.listProgress().map(({ request_id }) => request_id)).toEqual(['old'])
    now = 1600
    expect(open.listProgress().map(({ request_id }) => request_id)).toEqual(['old', 'young'])
    open.close('old')
    expect(open.listProgress().map(({ request_id }) => request_id)).toEqual(['young'])
  })
})
