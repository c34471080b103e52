import { expect, it } from 'vitest'
import { sealWithPassphrase, unsealWithPassphrase } from './passphrase.ts'

it('opens what a passphrase sealed with this passphrase only, and only unchanged', async () => {
  const sealed = await sealWithPassphrase('{"a":"秘密"}', 'a long passphrase')

  expect(sealed).not.toContain('秘密')
  expect(await unsealWithPassphrase(sealed, 'a long passphrase')).toBe('{"a":"秘密"}')
  expect(await unsealWithPassphrase(sealed, 'a long passphrasf')).toBeUndefined()
  const [head, body] = [sealed.slice(0, -4), sealed.slice(-4)]
  expect(await unsealWithPassphrase(head + body.split('').toReversed().join(''), 'a long passphrase')).toBeUndefined()
  for (const broken of ['', 'p1', 'p1...', 'p2.a.b.c', 'p1.AAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAA'])
    expect(await unsealWithPassphrase(broken, 'a long passphrase')).toBeUndefined()
})
