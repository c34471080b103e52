import { describe, expect, it } from 'vitest'
import { judge, mapStatus, type JudgePolicy, type UpstreamFailure } from './judge.ts'

const policy = (over: Partial<JudgePolicy> = {}): JudgePolicy => ({
  retries_left: 3,
  is_pinned: false,
  channel_type: 1,
  status_code_mapping: {},
  has_sent_bytes: false,
  auto_disable: { is_enabled: true, auto_ban: true, keywords: [] },
  ...over,
})
const refused = (status: number, over: Partial<UpstreamFailure> = {}): UpstreamFailure => ({
  kind: 'refused',
  status,
  message: 'no',
  ...over,
})

describe('a retry', () => {
  it.each([
    [429, 'other-channel'],
    [307, 'other-channel'],
    [500, 'other-channel'],
    [502, 'other-channel'],
    [503, 'other-channel'],
    [529, 'other-channel'],
    [504, 'no'],
    [524, 'no'],
    [408, 'no'],
    [200, 'no'],
    [201, 'no'],
    [400, 'no'],
    [401, 'other-channel'],
    [403, 'other-channel'],
    [404, 'other-channel'],
    [422, 'other-channel'],
  ] as const)('after status %d: %s', (status, retry) => {
    expect(judge(refused(status), policy()).retry).toBe(retry)
  })

  it('after 400 from Anthropic', () => {
    expect(judge(refused(400), policy({ channel_type: 14 })).retry).toBe('other-channel')
  })

  it.each([
    ['the network failed', { kind: 'network', message: '' }, 'other-channel', 502],
    ['the answer was unreadable', { kind: 'malformed', message: '' }, 'other-channel', 502],
    ['upstream was overloaded', { kind: 'limited', message: '' }, 'other-channel', 429],
    ['upstream took too long', { kind: 'timeout', message: '' }, 'other-channel', 504],
    ['upstream reports a timeout of its own upstream', { kind: 'refused', status: 504, message: '' }, 'no', 504],
    ['the client left', { kind: 'aborted', message: '' }, 'no', 499],
  ] as const)('when %s', (_, failure, retry, status) => {
    expect(judge(failure, policy())).toMatchObject({ retry, status })
  })

  it('follows the operator’s statuses, and never a success', () => {
    const retry_statuses = [
      [200, 204],
      [504, 504],
    ] as const

    expect([200, 500, 504].map((status) => judge(refused(status), policy({ retry_statuses })).retry)).toEqual(['no', 'no', 'other-channel'])
  })

  it.each([
    ['no attempt is left', { retries_left: 0 }],
    ['the token is bound to the channel', { is_pinned: true }],
    ['the client has received bytes', { has_sent_bytes: true }],
  ])('is not made when %s', (_, over) => {
    expect(judge(refused(500), policy(over)).retry).toBe('no')
  })
})

describe('status_code_mapping', () => {
  it('determines the retry and the client’s status', () => {
    expect(judge(refused(400), policy({ status_code_mapping: { '400': '500' } }))).toMatchObject({ retry: 'other-channel', status: 500 })
    expect(judge(refused(500), policy({ status_code_mapping: { '500': '400' } }))).toMatchObject({ retry: 'no', status: 400 })
  })

  it('does not hide an invalid key', () => {
    expect(judge(refused(401), policy({ status_code_mapping: { '401': '500' } })).disable_reason).toBe('no')
  })

  it.each([
    ['200 is never mapped', 200, { '200': '500' }, 200],
    ['an invalid status is ignored', 500, { '500': 'abc' }, 500],
    ['a status outside the range is ignored', 500, { '500': '99' }, 500],
    ['once only', 400, { '400': '401', '401': '402' }, 401],
  ])('%s', (_, status, mapping, expected) => {
    expect(mapStatus(status, mapping)).toBe(expected)
  })

  it('never turns an error into a success', () => {
    expect(judge(refused(500), policy({ status_code_mapping: { '500': '200' } })).status).toBe(502)
  })
})

describe('a channel is disabled', () => {
  it.each([
    ['a refused key', refused(401, { message: 'bad key' }), 1, 'bad key'],
    ['403 from Gemini', refused(403), 24, 'no'],
    ['an invalid key by code', refused(400, { code: 'invalid_api_key' }), 1, 'no'],
    ['a closed account by code', refused(403, { code: 'account_deactivated' }), 1, 'no'],
    ['spent credit by type', refused(429, { kind: 'limited', type: 'insufficient_quota' }), 1, 'no'],
    ['a missing right by type', refused(403, { type: 'permission_error' }), 1, 'no'],
    ['a keyword in any case', refused(400, { message: 'Your Credit Balance is too low.' }), 1, 'Your Credit Balance is too low.'],
  ] as const)('for %s', (_, failure, channel_type, reason) => {
    const auto_disable = { is_enabled: true, auto_ban: true, keywords: ['your credit balance is too low', ''] }

    expect(judge(failure, policy({ channel_type, auto_disable })).disable_reason).toBe(reason)
  })

  it.each([
    ['a plain 403 of another vendor', refused(403), {}],
    ['a server error', refused(500), {}],
    ['a busy vendor', refused(429, { kind: 'limited', type: 'rate_limit_error' }), {}],
    ['a failure on our side', { kind: 'network', message: 'invalid_api_key' } as const, {}],
    ['an invalid key, if the site has disabling off', refused(401), { is_enabled: false }],
    ['an invalid key, if the channel has disabling off', refused(401), { auto_ban: false }],
  ])('not for %s', (_, failure, over) => {
    const auto_disable = { is_enabled: true, auto_ban: true, keywords: ['invalid_api_key'], ...over }

    expect(judge(failure, policy({ auto_disable })).disable_reason).toBeUndefined()
  })

  it('for the operator’s statuses, and only those', () => {
    const auto_disable = { is_enabled: true, auto_ban: true, keywords: [], statuses: [[402, 403]] as const }

    expect([401, 402, 403].map((status) => judge(refused(status), policy({ auto_disable })).disable_reason)).toEqual([
      undefined,
      'no',
      'no',
    ])
  })

  it('even after the client received bytes', () => {
    expect(judge(refused(401), policy({ has_sent_bytes: true })).disable_reason).toBe('no')
  })
})

describe('what a client can write', () => {
  const auto_disable = { is_enabled: true, auto_ban: true, keywords: ['You exceeded your current quota', 'Permission denied'] }

  it.each([
    ['a value that the vendor quotes', refused(400, { message: "Invalid value: 'You exceeded your current quota'" })],
    ['the name of a file', refused(404, { message: 'No such file: Permission denied.txt' })],
    ['the output of a shell', refused(500, { message: 'exit 1: bash: Permission denied' })],
    ['a named parameter', refused(400, { message: 'You exceeded your current quota is no size', param: 'size' })],
  ])('neither disables a channel nor pauses a key: %s', (_, failure) => {
    expect(judge(failure, policy({ auto_disable }))).toMatchObject({ fault: undefined, disable_reason: undefined })
  })

  it.each([400, 403, 429, 401])('is no evidence where the request has the words itself, with status %i', (status) => {
    const failure = refused(status, { message: 'Permission denied' })
    const statuses = [] as const

    const judged = judge(failure, policy({ auto_disable: { ...auto_disable, statuses }, isQuoted: (text) => text === 'permission denied' }))
    expect(judged.disable_reason).toBeUndefined()
    expect(judge(failure, policy({ auto_disable })).disable_reason).toBe('Permission denied')
  })
})

describe('an account that has too little for one request', () => {
  it.each([
    'pre-consume quota failed, user quota: ¥0.23, need quota: ¥0.29',
    'token quota is not enough, token remain quota: ＄0.050000, need quota: ＄0.070000',
    '预扣费额度失败，用户剩余额度: ¥0.23，需要预扣费额度: ¥0.29',
  ])('serves the next one: %s', (message) => {
    const auto_disable = { is_enabled: true, auto_ban: true, keywords: [] }

    expect(judge(refused(403, { code: 'insufficient_user_quota', message }), policy({ auto_disable }))).toEqual({
      retry: 'other-channel',
      status: 502,
      fault: 'money',
      disable_reason: undefined,
      is_passing: true,
    })
  })

  it('is not one that has nothing', () => {
    const auto_disable = { is_enabled: true, auto_ban: true, keywords: [] }
    const message = 'user quota: ¥0.000000, need quota: ¥0.29'

    expect(judge(refused(403, { code: 'insufficient_user_quota', message }), policy({ auto_disable })).disable_reason).toBe(message)
  })
})

describe('the fault of the channel’s own account', () => {
  const auto_disable = { is_enabled: false, auto_ban: true, keywords: ['your credit balance is too low', 'permission denied'] }

  it.each([
    ['a refused key', refused(401), 'key'],
    ['a refused key by Google’s reason', refused(400, { code: 'API_KEY_INVALID' }), 'key'],
    ['spent credit', refused(429, { kind: 'limited', type: 'insufficient_quota' }), 'money'],
    ['payment required', refused(402), 'money'],
    ['spent credit by its text', refused(400, { message: 'Your credit balance is too low to access the API.' }), 'money'],
  ] as const)('is known without automatic disabling, tried elsewhere and never shown as the client’s: %s', (_, failure, fault) => {
    expect(judge(failure, policy({ auto_disable }))).toEqual({ retry: 'other-channel', status: 502, fault, disable_reason: undefined })
  })

  it.each([
    ['a text that quotes the request', refused(400, { message: "Invalid value: 'Permission denied'" })],
    ['a right that depends on the request', refused(403, { type: 'permission_error' })],
    ['a load limit', refused(429, { kind: 'limited', type: 'rate_limit_error' })],
  ])('is not assumed from what a client may have caused: %s', (_, failure) => {
    expect(judge(failure, policy({ auto_disable, channel_type: 24 }))).toMatchObject({ fault: undefined, status: failure.status })
  })

  it('leaves the status to the operator’s mapping', () => {
    expect(judge(refused(401), policy({ status_code_mapping: { '401': '503' } }))).toMatchObject({ status: 503, fault: 'key' })
  })
})

describe('an account without money', () => {
  it.each([
    ['Ali', 17, 400, 'Arrearage', 502],
    ['Zhipu', 26, 429, '1113', 502],
    ['another vendor with the same code', 1, 400, 'Arrearage', 400],
  ])('is the operator’s fault and hidden from the client: %s', (_, channel_type, status, code, shown) => {
    const judged = judge(refused(status, { code }), policy({ channel_type }))

    expect(judged.status).toBe(shown)
    expect([judged.fault, judged.retry]).toEqual(shown === 502 ? ['money', 'other-channel'] : [undefined, 'no'])
  })
})
