import type { Language, MailTemplate } from '@tollgate/contracts/texts/mails'
import { defanged } from './defanged.ts'
import type { Block, MailText, MailTexts, Site } from './mail-text.ts'
import { en } from './texts/en.ts'
import { zh } from './texts/zh.ts'

const TEXTS: Readonly<Record<Language, MailTexts>> = { zh, en }

/** The values of a template as they are stored, with what the worker adds when it sends the mail. */
export type MailInput = {
  readonly template: MailTemplate
  readonly language: Language
  readonly values: Readonly<Record<string, string>>
  readonly site: Site
  readonly minutes: number
}
export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string }

type LooseText = (values: Readonly<Record<string, string>>, site: Site, minutes: number) => MailText

/** The text of a mail as blocks, without the footer. */
export function textOfMail({ template, language, values, site, minutes }: MailInput): MailText {
  // The values were typed when the mail was queued; here they come from a column.
  return (TEXTS[language][template] as LooseText)(values, site, minutes)
}

/** Values that users or vendors wrote. */
const OUTSIDE_TEXTS: ReadonlySet<string> = new Set(['token', 'name', 'reason', 'device'])

/** The values with each text of a user or vendor in the form of the mail or notice. */
export const withOutsideTexts = (values: MailInput['values'], shown: (text: string) => string): MailInput['values'] =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, OUTSIDE_TEXTS.has(key) ? shown(value) : value]))

/** A mail as plain text and as HTML. Values may come from strangers: they are short, escaped, and without links, and the subject is one line. */
export function renderMail(given: MailInput): RenderedMail {
  const input = { ...given, values: withOutsideTexts(given.values, defanged) }
  const { subject, blocks } = textOfMail(input)
  const footer = TEXTS[input.language].footer(input.site)
  return {
    subject: oneLine(subject),
    text: `${[...blocks.map(toText), '-- \n' + footer].join('\n\n')}\n`,
    html: page(oneLine(subject), input.language, [...blocks.map(toHtml), `<p style="${STYLES.footer}">${escapeHtml(footer)}</p>`]),
  }
}

// oxlint-disable-next-line no-control-regex -- control characters are what it removes
const oneLine = (text: string): string => text.replaceAll(/[\0-\u001f\u007f]+/g, ' ').trim()

function toText(block: Block): string {
  if ('text' in block) return block.text
  return 'code' in block ? `    ${block.code}` : `${block.label}: ${block.link}`
}

const STYLES = {
  body: 'margin:0;padding:24px;background:#f4f4f5;font-family:system-ui,-apple-system,Segoe UI,PingFang SC,Microsoft YaHei,sans-serif',
  card: 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px;color:#18181b;font-size:15px;line-height:1.6',
  text: 'margin:0 0 16px',
  code: 'margin:0 0 16px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:28px;font-weight:600;letter-spacing:4px',
  link: 'display:inline-block;padding:10px 20px;background:#18181b;color:#ffffff;border-radius:6px;text-decoration:none',
  address: 'margin:0 0 16px;font-size:13px;color:#52525b;word-break:break-all',
  footer: 'margin:24px 0 0;padding-top:16px;border-top:1px solid #e4e4e7;font-size:13px;color:#71717a',
} as const

function toHtml(block: Block): string {
  if ('text' in block) return `<p style="${STYLES.text}">${escapeHtml(block.text)}</p>`
  if ('code' in block) return `<p style="${STYLES.code}">${escapeHtml(block.code)}</p>`
  const href = escapeHtml(block.link)
  return `<p style="${STYLES.text}"><a href="${href}" style="${STYLES.link}">${escapeHtml(block.label)}</a></p><p style="${STYLES.address}">${href}</p>`
}

function page(title: string, language: Language, parts: readonly string[]): string {
  const head = `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>`
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">${head}<body style="${STYLES.body}"><div style="${STYLES.card}">
${parts.join('\n')}
</div></body></html>
`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
