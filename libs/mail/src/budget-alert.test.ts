import { LANGUAGES } from '@tollgate/contracts/texts/mails'
import { expect, it } from 'vitest'
import { textOfMail } from './render-mail.ts'

const shared = { window: 'day', percent: '80', amount: '$5', spent: '$4', action: 'refuse' }

it.each([
  ['an account', '', 'user', 'topup'],
  ['a token', 'app', 'token', 'token'],
  ['a project', 'Website', 'project', 'organisation'],
  ['a member', 'ben', 'member', 'organisation'],
])('leads from the alert of a budget of %s to the page that shows it', (_what, token, scope, page) => {
  for (const language of LANGUAGES) {
    const site = { name: 'Tollgate', address: 'https://ai.example.com' }
    const { blocks } = textOfMail({ template: 'budget-alert', language, values: { ...shared, token, scope }, site, minutes: 0 })
    expect(blocks.flatMap((block) => ('link' in block ? [block.link] : []))).toEqual([`https://ai.example.com/${page}`])
  }
})
