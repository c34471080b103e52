import { describe, expect, it } from 'vitest'
import { importDetailText } from './texts.ts'

const both = (code: string, detail: string): readonly string[] =>
  (['zh', 'en'] as const).map((language) => importDetailText({ code, detail }, language))

describe('the text beside a row of an import report', () => {
  it.each([
    ['left-check-ins', '1', '1 行', '1 row'],
    ['left-sealed', '12', '12 行', '12 rows'],
    ['completion-guessed', '1.5', '倍率 1.5', 'ratio 1.5'],
    ['price-of-log', 'ratio 2', '倍率 2', 'ratio 2'],
    ['price-of-this-gateway', 'ratio –, price 0.1', '倍率 –，按次价格 0.1', 'ratio –, price of a call 0.1'],
    ['completion-of-log', '3, but charged at 4', '倍率 3，日志中为 4', 'ratio 3, in the log 4'],
    ['part-left', 'header_override', '请求头覆盖', 'Header override'],
    ['taken', 'github_id', 'GitHub 账户', 'GitHub account'],
    ['token-state', '1 → 4', '已启用 → 已耗尽', 'enabled → used up'],
    ['budget', '10 USD per 30d', '每 30d 有 10 USD', '10 USD per 30d'],
    ['budget-of-account', '10 USD per 1mo, balance 3.5 USD', '每 1mo 有 10 USD，余额 3.5 USD', '10 USD per 1mo, balance 3.5 USD'],
  ])('says what %s %s means', (code, detail, zh, en) => {
    expect(both(code, detail)).toEqual([zh, en])
  })

  it('stays as it is where it is a text of the source, and is left out where the name says it', () => {
    expect(both('renamed', 'ann → ann_3')).toEqual(['ann → ann_3', 'ann → ann_3'])
    expect(both('taken', 'qq_id')).toEqual(['qq_id', 'qq_id'])
    expect(importDetailText({ code: 'no-key', detail: 'a', name: 'a' }, 'en')).toBe('')
  })
})
