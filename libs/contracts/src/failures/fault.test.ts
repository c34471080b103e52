import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { balanceFault } from './balance-fault.ts'
import { fromFault, inLanguage, optionalFault } from './fault.ts'

describe('a fault', () => {
  it('has its text in the reader’s language, and a vendor’s own text as it is', () => {
    const own = fromFault('channels.fetch-network', { detail: 'reset' })

    expect(inLanguage({ ...own, ok: false }, 'zh')).toEqual({ ok: false, message: expect.stringContaining('reset') as unknown })
    expect(inLanguage({ ...own, ok: false }, 'zh').message).not.toBe(inLanguage(own, 'en').message)
    expect(inLanguage({ message: 'Insufficient Balance' }, 'zh')).toEqual({ message: 'Insufficient Balance' })
  })

  it.each<[unknown, unknown]>([
    [
      { code: 'balance.code', params: { code: '1', detail: 'x' } },
      { code: 'balance.code', params: { code: '1', detail: 'x' } },
    ],
    [{ code: 'toString' }, undefined],
    [{ code: 'of.another-version' }, undefined],
    [{ code: 'balance.code', params: { code: {} } }, undefined],
    ['balance.code', undefined],
    [undefined, undefined],
  ])('%j of a stored record is read as %j', (fault, expected) => {
    expect(z.object({ fault: optionalFault }).parse({ fault }).fault).toEqual(expected)
  })

  it.each([
    ['code: 30001, message: 余额不足\n请充值', { code: '30001', detail: '余额不足\n请充值' }],
    ['code: , message: x', { code: '', detail: 'x' }],
    ['something else', { code: '', detail: '' }],
  ])('of a balance takes code and text from “%s”', (detail, params) => {
    expect(balanceFault({ problem: 'code', detail, status: 200 })).toEqual({ code: 'balance.code', params })
  })
})
