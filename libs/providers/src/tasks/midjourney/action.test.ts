import { describe, expect, it } from 'vitest'
import { actionOfButton, modelOfAction, parseSimpleChange } from './action.ts'

describe('a button of Midjourney', () => {
  it.each([
    ['MJ::JOB::upsample::2::3dbbd469-36af', 'UPSCALE', 'mj_upscale'],
    ['MJ::JOB::upsample_v6_2x_subtle::1::x::SOLO', 'UPSCALE', 'mj_upscale'],
    ['MJ::JOB::variation::4::x', 'VARIATION', 'mj_variation'],
    ['MJ::JOB::low_variation::1::x::SOLO', 'LOW_VARIATION', 'mj_low_variation'],
    ['MJ::JOB::high_variation::1::x::SOLO', 'HIGH_VARIATION', 'mj_high_variation'],
    ['MJ::JOB::pan_left::1::x::SOLO', 'PAN', 'mj_pan'],
    ['MJ::JOB::reroll::0::x::SOLO', 'REROLL', 'mj_reroll'],
    ['MJ::Outpaint::50::1::x::SOLO', 'ZOOM', 'mj_zoom'],
    ['MJ::CustomZoom::x', 'CUSTOM_ZOOM', 'mj_custom_zoom'],
    ['MJ::Inpaint::1::x::SOLO', 'INPAINT', 'mj_inpaint'],
  ])('%s is %s, priced as %s', (customId, action, model) => {
    expect(actionOfButton(customId)).toEqual({ kind: 'action', action })
    expect(modelOfAction(action)).toBe(model)
  })

  it.each([
    ['no separator', 'plain', 'unknown_action:plain'],
    ['an unknown verb', 'MJ::JOB::dance::1', 'unknown_action:MJ::JOB::dance::1'],
    ['an index that is no number', 'MJ::JOB::upsample::x', 'index_parse_failed'],
    ['no index', 'MJ::JOB::variation', 'index_parse_failed'],
    ['nothing', '', 'unknown_action:'],
  ])('with %s is refused', (_what, customId, description) => {
    expect(actionOfButton(customId)).toEqual({ kind: 'refused', description })
  })

  it('is priced by the name of swapping a face', () => {
    expect(modelOfAction('SWAP_FACE')).toBe('swap_face')
  })
})

describe('a simple change', () => {
  it.each([
    ['123 U2', { task_id: '123', action: 'UPSCALE', index: 2 }],
    ['abc v4', { task_id: 'abc', action: 'VARIATION', index: 4 }],
    [' abc  R ', { task_id: 'abc', action: 'REROLL', index: 0 }],
    ['abc U5', undefined],
    ['abc U', undefined],
    ['abc', undefined],
    ['abc X1', undefined],
  ])('reads %j', (content, parsed) => {
    expect(parseSimpleChange(content)).toEqual(parsed)
  })
})
