import type { TFunction } from 'i18next'

const QUOTA = /^(?:\uFF04(-?[\d.]+)|(-?\d+) 点)/u
/** Amounts are written as `＄1.500000 额度` or `500000 点额度`, in some sentences without the last word. */
const AMOUNT = '(\uFF04?-?[\\d.]+(?: 点)?)(?: ?额度)?'

const SENTENCES = [
  ['sign-up', `新用户注册赠送 ${AMOUNT}`],
  ['invitee', `使用邀请码赠送 ${AMOUNT}`],
  ['inviter', `邀请用户赠送 ${AMOUNT}`],
  ['redeemed', `通过兑换码充值 ${AMOUNT}，兑换码ID (\\d+)`],
  ['adjusted', `管理员将用户额度从 ${AMOUNT}修改为 ${AMOUNT}`],
  ['topped-up', `使用在线充值成功，充值金额: ${AMOUNT}，支付金额：([\\d.]+)`],
  ['top-up-refunded', `在线充值退款，扣除额度: ${AMOUNT}，订单号：(\\w+)`],
  ['drawing-failed', `构图失败 (\\S+)，补偿 ${AMOUNT}`],
  ['task-failed', `异步任务执行失败 (\\S+)，补偿 ${AMOUNT}`],
] as const
const PATTERNS = SENTENCES.map(([name, sentence]) => ({ name, pattern: new RegExp(`^${sentence}$`, 'u') }))

/** An account's entry in the reader's language: the server stores a Chinese sentence, whose parts this reads. Others stay as stored. */
export function accountText(content: string, t: TFunction<'logs'>, language: string): string {
  if (language === 'zh') return content
  for (const { name, pattern } of PATTERNS) {
    const match = pattern.exec(content)
    if (match !== null) return t(`account.${name}`, { first: amountText(match[1] ?? '', t), second: amountText(match[2] ?? '', t) })
  }
  return content
}

/** Cents, and further places where they are not zero. */
function amountText(text: string, t: TFunction<'logs'>): string {
  const [, dollars, quota] = QUOTA.exec(text) ?? []
  if (quota !== undefined) return t('account.quota', { quota })
  const number = dollars ?? text
  const isPlaces = /^-?\d+\.\d{6}$/.test(number)
  const short = isPlaces ? number.replace(/0{1,4}$/, '') : number
  return dollars === undefined ? short : short.startsWith('-') ? `-$${short.slice(1)}` : `$${short}`
}
