import { describe, expect, it } from 'vitest'
import { checkSetup, toSetupBody, type SetupForm } from './form.ts'

const aForm = (change: Partial<SetupForm> = {}): SetupForm => ({
  username: 'boss',
  password: '12345678',
  confirmPassword: '12345678',
  mode: 'external',
  code: '',
  ...change,
})

describe('checkSetup', () => {
  it.each([
    ['a complete form', aForm(), {}],
    ['a blank name', aForm({ username: '  ' }), { username: 'username-required' }],
    ['a name of 13 characters', aForm({ username: 'abcdefghijklm' }), { username: 'username-length' }],
    ['a password of 7 characters', aForm({ password: '1234567', confirmPassword: '1234567' }), { password: 'password-short' }],
    ['a password of 21 characters', aForm({ password: 'x'.repeat(21), confirmPassword: 'x'.repeat(21) }), { password: 'password-long' }],
    ['8 characters outside the first plane count as 8', aForm({ password: '😀'.repeat(8), confirmPassword: '😀'.repeat(8) }), {}],
    ['another confirmation', aForm({ confirmPassword: '12345679' }), { confirmPassword: 'passwords-differ' }],
  ])('judges %s', (_why, form, errors) => {
    expect(checkSetup(form, false)).toEqual(errors)
  })

  it('asks for nothing when the root account exists', () => {
    expect(checkSetup(aForm({ username: '', password: '' }), true)).toEqual({})
  })
})

describe('toSetupBody', () => {
  it.each([
    ['external', false, false],
    ['self', true, false],
    ['demo', false, true],
  ] as const)('sends mode %s as two switches', (mode, SelfUseModeEnabled, DemoSiteEnabled) => {
    expect(toSetupBody(aForm({ mode }))).toMatchObject({ SelfUseModeEnabled, DemoSiteEnabled })
  })

  it('leaves an empty code out', () => {
    expect(toSetupBody(aForm({ code: ' ' }))).not.toHaveProperty('code')
  })
})
