import { describe, expect, it } from 'vitest'
import { senderNameOf, senderOf, smtpProblem } from './smtp-options.ts'

describe('the sender of mails', () => {
  it.each([
    ['', 'account@a.example', ''],
    ['noreply@a.example', 'noreply@a.example', ''],
    ['Gate <noreply@a.example>', 'noreply@a.example', 'Gate'],
    ['"Gate, Inc." <noreply@a.example>', 'noreply@a.example', 'Gate, Inc.'],
    ['<noreply@a.example>', 'noreply@a.example', ''],
  ])('of “%s”', (SMTPFrom, address, name) => {
    const options = { SMTPFrom, SMTPAccount: 'account@a.example' }

    expect([senderOf(options), senderNameOf(options)]).toEqual([address, name])
    expect(smtpProblem({ ...options, SMTPServer: 'smtp.a.example' })).toBeUndefined()
  })
})
