import type { Language, NoticeName } from '@tollgate/contracts/texts/mails'
import type { Site } from './mail-text.ts'
import { shortLine } from './defanged.ts'
import { textOfMail, withOutsideTexts } from './render-mail.ts'

export type NoticeInput = {
  readonly notice: NoticeName
  readonly language: Language
  readonly values: Readonly<Record<string, string>>
  readonly site: Site
  readonly timestamp: number
}

/** The body that existing receivers of webhooks read. `{{value}}` in the content stands for the next of `values`. */
export type WebhookBody = {
  readonly type: string
  readonly title: string
  readonly content: string
  readonly values?: readonly string[]
  readonly timestamp: number
}

const LOW_BALANCE: Readonly<Record<Language, string>> = {
  zh: '{{value}}，当前剩余额度为 {{value}}，为了不影响您的使用，请及时充值：<a href="{{value}}">{{value}}</a>',
  en: '{{value}}: {{value}} is left. Top up soon to keep your requests running: <a href="{{value}}">{{value}}</a>',
}

export function renderNotice({ notice, language, values: given, site, timestamp }: NoticeInput): WebhookBody {
  const values = withOutsideTexts(given, shortLine)
  const { subject, blocks } = textOfMail({ template: notice, language, values, site, minutes: 0 })
  const title = subject
  if (notice === 'low-balance') {
    const link = `${site.address}/topup`
    return { type: 'quota_exceed', title, content: LOW_BALANCE[language], values: [title, values['balance'] ?? '', link, link], timestamp }
  }
  const content = blocks.flatMap((block) => ('text' in block ? [block.text] : [])).join('\n')
  return { type: typeOf(notice, values), title, content, timestamp }
}

const STATUS: Readonly<Partial<Record<NoticeName, number>>> = { 'channel-disabled': 3, 'channel-enabled': 1 }

function typeOf(notice: NoticeName, values: Readonly<Record<string, string>>): string {
  const status = STATUS[notice]
  return status === undefined ? notice.replaceAll('-', '_') : `channel_update_${values['id'] ?? ''}_${status}`
}
