/**
 * Why a task failed, in our own words. Rows store the texts that existing consoles know; operators read them as they are in Chinese, and
 * users read a text without channel.
 */
export const TASK_FAILURES = {
  expired: '上游任务超时（超过1小时）',
  /** A task that had more than an hour. */
  expiredAfter: (hours: number): string => `上游任务超时（超过${hours}小时）`,
  unclear: '上游未确认是否接受了该任务，未收取费用',
  unreadState: (word: string): string => `上游任务停在未知状态：${word}`,
  noReason: 'the upstream reported a failure',
  channelGone: (id: number): string => `获取渠道信息失败，请联系管理员，渠道ID：${id}`,
} as const

type Reader = { readonly language: 'zh' | 'en'; readonly isOperator: boolean }
type Failure = { readonly stored: RegExp; readonly user: Readonly<Record<Reader['language'], string>>; readonly operator?: string }

const FAILURES: readonly Failure[] = [
  {
    stored: /^上游任务超时（超过1小时）$/,
    user: { zh: TASK_FAILURES.expired, en: 'The upstream did not finish the task within one hour' },
  },
  {
    stored: /^上游任务超时（超过(\d+)小时）$/,
    user: { zh: '上游任务超时（超过$1小时）', en: 'The upstream did not finish the task within $1 hours' },
  },
  {
    stored: /^上游未确认是否接受了该任务，未收取费用$/,
    user: { zh: TASK_FAILURES.unclear, en: 'The upstream did not say whether it took the task; nothing is charged for it' },
  },
  {
    stored: /^上游任务停在未知状态：(.*)$/,
    user: { zh: TASK_FAILURES.unreadState('$1'), en: 'The upstream left the task in an unknown state: $1' },
  },
  {
    stored: /^the upstream reported a failure$/,
    user: { zh: '上游报告任务失败，未说明原因', en: 'The upstream reported a failure without a reason' },
  },
  {
    stored: /^获取渠道信息失败，请联系管理员，渠道ID：(\d+)$/,
    user: {
      zh: '处理该任务的渠道已不可用，请联系管理员',
      en: 'The channel that ran the task is not available any more, contact the administrator',
    },
    operator: 'Channel $1 of the task does not exist any more',
  },
]

/** The stored reason for a reader; a vendor's own text as it is. */
export function describeTaskFailure(stored: string, { language, isOperator }: Reader): string {
  const failure = FAILURES.find((one) => one.stored.test(stored))
  if (failure === undefined || (isOperator && language === 'zh')) return stored
  return stored.replace(failure.stored, isOperator ? (failure.operator ?? failure.user[language]) : failure.user[language])
}

/** True if a described reason is one of our own; the others are texts of vendors. */
export function isOwnTaskFailure(described: string): boolean {
  return FAILURES.some(
    ({ stored, user, operator = user.en }) =>
      stored.test(described) || [user.zh, user.en, operator].some((form) => isOfForm(described, form)),
  )
}

/** True if a text is this one, with anything in place of its variable part. */
function isOfForm(text: string, form: string): boolean {
  const [before = '', after] = form.split('$1')
  return after === undefined ? text === form : text.startsWith(before) && text.endsWith(after)
}
