import { describe, expect, it } from 'vitest'
import { describeTaskFailure, isOwnTaskFailure, TASK_FAILURES } from './task-failures.ts'

const OWN = [
  TASK_FAILURES.expired,
  TASK_FAILURES.expiredAfter(48),
  TASK_FAILURES.unclear,
  TASK_FAILURES.unreadState('paused'),
  TASK_FAILURES.noReason,
  TASK_FAILURES.channelGone(41),
]
const user = (language: 'zh' | 'en') => ({ language, isOperator: false })

describe('the reason of a failed task', () => {
  it.each(OWN)('has no channel number for a user, and is in his language: %s', (stored) => {
    const zh = describeTaskFailure(stored, user('zh'))
    const en = describeTaskFailure(stored, user('en'))
    expect(`${zh} ${en}`).not.toMatch(/41/)
    expect(zh).toMatch(/\p{Script=Han}/u)
    expect(en).not.toMatch(/\p{Script=Han}/u)
  })

  it('stays to the letter for an operator who reads Chinese, and names the channel in English', () => {
    for (const stored of OWN) expect(describeTaskFailure(stored, { language: 'zh', isOperator: true })).toBe(stored)
    expect(describeTaskFailure(TASK_FAILURES.channelGone(41), { language: 'en', isOperator: true })).toContain('Channel 41 ')
  })

  it('names hours and the vendor’s word', () => {
    expect(describeTaskFailure(TASK_FAILURES.expiredAfter(48), user('en'))).toContain('within 48 hours')
    expect(describeTaskFailure(TASK_FAILURES.unreadState('paused'), user('en'))).toContain('state: paused')
  })

  it.each(OWN)('is known as ours to every reader: %s', (stored) => {
    for (const language of ['zh', 'en'] as const)
      for (const isOperator of [true, false]) expect(isOwnTaskFailure(describeTaskFailure(stored, { language, isOperator }))).toBe(true)
  })

  it('is not ours when a vendor wrote it', () => {
    for (const text of ['risk control', '', 'The upstream is busy', '上游任务超时']) expect(isOwnTaskFailure(text)).toBe(false)
  })

  it('stays as the vendor wrote it', () => {
    for (const language of ['zh', 'en'] as const) expect(describeTaskFailure('risk control', user(language))).toBe('risk control')
    expect(describeTaskFailure('', user('en'))).toBe('')
  })
})
