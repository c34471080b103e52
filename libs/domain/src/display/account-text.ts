const QUOTA = /^(?:\uFF04(-?[\d.]+)|(-?\d+) 点)/u
/** Amounts are written as `＄1.500000 额度` or `500000 点额度`, in some sentences without the last word. */
const AMOUNT = '(\uFF04?-?[\\d.]+(?: 点)?)(?: ?额度)?'

type Sentence = readonly [stored: string, english: (first: string, second: string) => string]

const SENTENCES: readonly Sentence[] = [
  [`新用户注册赠送 ${AMOUNT}`, (amount) => `${amount} for signing up`],
  [`使用邀请码赠送 ${AMOUNT}`, (amount) => `${amount} for using an invitation`],
  [`邀请用户赠送 ${AMOUNT}`, (amount) => `${amount} for inviting a user`],
  [`通过兑换码充值 ${AMOUNT}，兑换码ID (\\d+)`, (amount, code) => `${amount} by redemption code ${code}`],
  [`管理员将用户额度从 ${AMOUNT}修改为 ${AMOUNT}`, (before, after) => `Balance changed by an administrator from ${before} to ${after}`],
  [`使用在线充值成功，充值金额: ${AMOUNT}，支付金额：([\\d.]+)`, (amount, paid) => `${amount} topped up online, ${paid} paid`],
  [`在线充值退款，扣除额度: ${AMOUNT}，订单号：(\\w+)`, (amount, order) => `${amount} taken back for the refund of order ${order}`],
  [`构图失败 (\\S+)，补偿 ${AMOUNT}`, (task, amount) => `Drawing ${task} failed, ${amount} given back`],
  [`异步任务执行失败 (\\S+)，补偿 ${AMOUNT}`, (task, amount) => `Task ${task} failed, ${amount} given back`],
]
const PATTERNS = SENTENCES.map(([stored, english]) => ({ english, pattern: new RegExp(`^${stored}$`, 'u') }))

/** An account's log entry in the reader's language: it is stored as a Chinese sentence, whose parts this reads. Others stay as stored. */
export function accountText(content: string, language: string): string {
  if (language === 'zh') return content
  for (const { english, pattern } of PATTERNS) {
    const match = pattern.exec(content)
    if (match !== null) return english(amountText(match[1] ?? ''), amountText(match[2] ?? ''))
  }
  return content
}

/** Cents, and further places where they are not zero. */
function amountText(text: string): string {
  const [, dollars, quota] = QUOTA.exec(text) ?? []
  if (quota !== undefined) return `${quota} quota`
  const number = dollars ?? text
  const isPlaces = /^-?\d+\.\d{6}$/.test(number)
  const short = isPlaces ? number.replace(/0{1,4}$/, '') : number
  return dollars === undefined ? short : short.startsWith('-') ? `-$${short.slice(1)}` : `$${short}`
}
