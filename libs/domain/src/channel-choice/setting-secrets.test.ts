import { describe, expect, it } from 'vitest'
import { copiedHeaders, joinSecrets, MASK, maskAddress, restoreSecrets, splitSecrets } from './setting-secrets.ts'

const SETTING = {
  proxy: 'http://me:p@ss:w@proxy.example:1080/x@y',
  header_override: { 'X-Key': 'sk-vendor', 'X-Auth': 'Token {api_key}', 'X-Trace': '{client_header:x-trace}', 'X-Both': 'a b {api_key}' },
  webhook: { url: 'https://token@hook.example', api_key: 'abc', list: [{ password: 'deep' }] },
  system_prompt: 'Write to me@example.org',
  limits: { rpm: 3 },
}

describe('the secrets of a setting', () => {
  it('are masked where they stand, and everything else is shown', () => {
    expect(splitSecrets(SETTING).shown).toEqual({
      proxy: `http://me:${MASK}@proxy.example:1080/x@y`,
      header_override: { 'X-Key': MASK, 'X-Auth': 'Token {api_key}', 'X-Trace': '{client_header:x-trace}', 'X-Both': MASK },
      webhook: { url: `https://${MASK}@hook.example`, api_key: MASK, list: [{ password: MASK }] },
      system_prompt: 'Write to me@example.org',
      limits: { rpm: 3 },
    })
  })

  it('join to the same setting', () => {
    const { shown, secrets } = splitSecrets(SETTING)
    expect(joinSecrets(shown, secrets)).toEqual(SETTING)
    expect(JSON.stringify(shown)).not.toMatch(/p@ss|sk-vendor|token@|abc|deep/)
  })

  it('are kept by a form that sends the masks back', () => {
    const { shown, secrets } = splitSecrets(SETTING)

    expect(restoreSecrets({ ...shown, limits: { rpm: 9 } }, secrets)).toMatchObject({
      kind: 'restored',
      setting: { ...SETTING, limits: { rpm: 9 } },
      kept: ['proxy', 'header_override.X-Key', 'header_override.X-Both', 'webhook.url', 'webhook.api_key', 'webhook.list.0.password'],
    })
    expect(restoreSecrets({ proxy: 'http://me:new@proxy.example:1080' }, secrets)).toMatchObject({ kind: 'restored', kept: [] })
  })

  it('leave asterisks in a text alone', () => {
    expect(restoreSecrets({ system_prompt: `Write ${MASK} for names` }, {})).toMatchObject({ kind: 'restored', kept: [] })
  })

  it.each([
    ['another host', { proxy: `http://me:${MASK}@evil.example:1080/x@y` }, 'proxy'],
    ['another user', { proxy: `http://root:${MASK}@proxy.example:1080/x@y` }, 'proxy'],
    ['another header', { header_override: { 'X-Evil': MASK } }, 'header_override.X-Evil'],
    ['another field', { webhook: { other: `https://${MASK}@hook.example` } }, 'webhook.other'],
    ['another secret field', { secret: MASK }, 'secret'],
    ['a longer text', { header_override: { 'X-Key': `a ${MASK}` } }, 'header_override.X-Key'],
  ])('never move to %s', (_where, sent, field) => {
    expect(restoreSecrets(sent, splitSecrets(SETTING).secrets)).toEqual({ kind: 'unknown-mask', field })
  })
})

it.each([
  ['http://u:p@h', `http://u:${MASK}@h`],
  ['http://u@h', `http://${MASK}@h`],
  ['u:p@h:1', `u:${MASK}@h:1`],
  ['http://h/a@b', 'http://h/a@b'],
  ['http://h:80/?q=a@b', 'http://h:80/?q=a@b'],
  ['', ''],
])('masks the address %j as %j', (text, masked) => {
  expect(maskAddress(text)).toBe(masked)
})

it('finds copied client headers at every depth', () => {
  const found = copiedHeaders({ header_override: { A: '{client_header:Cookie}', B: 'x' }, extra: [{ c: '{client_header:x-a}' }] })
  expect([...found.values()]).toEqual(['cookie', 'x-a'])
})
