import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints, resources } from './endpoints.ts'

/** Every call of the specification. */
const CALLS =
  `GET /api/setup|POST /api/setup|GET /api/status|GET /api/status/test|GET /api/notice|GET /api/about|GET /api/home_page_content|GET /api/pricing|GET /api/models|GET /api/user/groups
POST /api/user/login|POST /api/user/register|GET /api/user/logout|GET /api/verification|GET /api/reset_password|POST /api/user/reset
GET /api/oauth/state|GET /api/oauth/github|GET /api/oauth/oidc|GET /api/oauth/linuxdo|GET /api/oauth/wechat|GET /api/oauth/wechat/bind|GET /api/oauth/email/bind|GET /api/oauth/telegram/login|GET /api/oauth/telegram/bind
GET /api/user/self|PUT /api/user/self|DELETE /api/user/self|GET /api/user/self/groups|GET /api/user/models|GET /api/user/token|GET /api/user/aff|POST /api/user/aff_transfer|PUT /api/user/setting
POST /api/user/topup|POST /api/user/amount|POST /api/user/pay|GET /api/user/epay/notify
GET /api/user/|GET /api/user/search|GET /api/user/{id}|POST /api/user/|PUT /api/user/|POST /api/user/manage|DELETE /api/user/{id}
GET /api/option/|PUT /api/option/|POST /api/option/rest_model_ratio
GET /api/channel/|GET /api/channel/search|GET /api/channel/models|GET /api/channel/models_enabled|GET /api/channel/{id}|POST /api/channel/|PUT /api/channel/|DELETE /api/channel/{id}|DELETE /api/channel/disabled|POST /api/channel/batch|POST /api/channel/batch/tag|POST /api/channel/tag/enabled|POST /api/channel/tag/disabled|PUT /api/channel/tag|POST /api/channel/fix|GET /api/channel/test/{id}|GET /api/channel/test|GET /api/channel/update_balance/{id}|GET /api/channel/update_balance|GET /api/channel/fetch_models/{id}|POST /api/channel/fetch_models|POST /api/channel/copy/{id}
GET /api/token/|GET /api/token/search|GET /api/token/{id}|POST /api/token/|PUT /api/token/|DELETE /api/token/{id}
GET /api/redemption/|GET /api/redemption/search|GET /api/redemption/{id}|POST /api/redemption/|PUT /api/redemption/|DELETE /api/redemption/{id}
GET /api/log/|DELETE /api/log/|GET /api/log/stat|GET /api/log/search|GET /api/log/self|GET /api/log/self/stat|GET /api/log/self/search|GET /api/log/token|GET /api/data/|GET /api/data/self|GET /api/group/|GET /api/mj/|GET /api/mj/self|GET /api/task/|GET /api/task/self
GET /v1/dashboard/billing/subscription|GET /dashboard/billing/subscription|GET /v1/dashboard/billing/usage|GET /dashboard/billing/usage|POST /pg/chat/completions`.split(
    /[\n|]/,
  )

describe('endpoint table', () => {
  const known = endpoints.map(({ method, path }) => `${method} ${path}`)

  it('contains every call of the specification', () => {
    expect(CALLS.filter((call) => !known.includes(call))).toEqual([])
  })

  it('marks additional calls as ours', () => {
    const beyond = endpoints.filter(({ method, path }) => !CALLS.includes(`${method} ${path}`))
    expect(beyond.filter(({ summary }) => !/\(ours\)|by POST/.test(summary)).map(({ path }) => path)).toEqual([])
  })

  it('declares no call twice, with or without a trailing slash', () => {
    const plain = known.map((call) => call.replace(/\/$/, ''))
    expect(plain.filter((call, at) => plain.indexOf(call) !== at)).toEqual([])
  })

  it('declares params only for paths with placeholders, and never both data and answer', () => {
    for (const { path, params, data, answer } of endpoints) {
      expect([path, params !== undefined]).toEqual([path, path.includes('{')])
      expect([path, data !== undefined && answer !== undefined]).toEqual([path, false])
    }
  })

  it.each(
    Object.entries(resources).flatMap(([resource, table]) =>
      Object.entries(table).map(([name, endpoint]) => ({ at: `${resource}.${name}`, endpoint })),
    ),
  )('$at can be described as JSON Schema', ({ endpoint }) => {
    for (const part of [endpoint.params, endpoint.query, endpoint.body]) {
      if (part !== undefined) expect(z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' })).toHaveProperty('$schema')
    }
    for (const part of [endpoint.data, endpoint.answer]) {
      if (part !== undefined) expect(z.toJSONSchema(part, { unrepresentable: 'any' })).toHaveProperty('$schema')
    }
  })

  it('reads tolerant query values', () => {
    const query = resources.logs.list.query
    expect(query.parse({ p: 'x', type: '2', channel: '' })).toMatchObject({ p: 0, type: 2, channel: 0, model_name: '' })
    expect(resources.channels.list.query.parse({ id_sort: 't', tag_mode: 'yes' })).toMatchObject({ id_sort: true, tag_mode: false })
  })
})
