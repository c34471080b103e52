import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withFacts } from '@tollgate/db/logged-event'
import { LogType } from '@tollgate/contracts/enums'
import { createChannel, createToken, must, setUp, signIn, type Api } from './support/api.ts'
import { startStack, type Stack } from './support/stack.ts'
import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import { startVendorServer } from '@tollgate/testing/vendor-server'

describe('revocation reaches every relay within a second', () => {
  let stack: Stack
  let api: Api

  beforeAll(async () => {
    stack = await startStack({ relays: 2 })
    api = await setUp(stack.controlPlane.url)
  })
  afterAll(() => stack.stop())

  const statusOn = async (relay: number, key: string): Promise<number> => {
    const answer = await fetch(`${stack.relays[relay]?.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
    await answer.body?.cancel()
    return answer.status
  }

  it('a token disabled on the control plane is refused by both relays', async () => {
    const token = await createToken(api)
    expect([await statusOn(0, token.key), await statusOn(1, token.key)]).toEqual([200, 200])

    must(await api.put('/api/token/?status_only=true', { id: token.id, status: 2 }))

    await expect
      .poll(async () => [await statusOn(0, token.key), await statusOn(1, token.key)], { timeout: 1000, interval: 50 })
      .toEqual([401, 401])
  })

  it('a deleted token is refused by both relays', async () => {
    const token = await createToken(api)
    expect([await statusOn(0, token.key), await statusOn(1, token.key)]).toEqual([200, 200])

    must(await api.remove(`/api/token/${token.id}/`))

    await expect
      .poll(async () => [await statusOn(0, token.key), await statusOn(1, token.key)], { timeout: 1000, interval: 50 })
      .toEqual([401, 401])
  })

  it('a deleted user is refused by both relays, and signed out', async () => {
    must(await api.post('/api/user/', { username: 'leaver', password: 'a-long-password' }))
    const leaver = await signIn(stack.controlPlane.url, 'leaver', 'a-long-password')
    const token = await createToken(leaver)
    expect([await statusOn(0, token.key), await statusOn(1, token.key)]).toEqual([200, 200])

    must(await api.post('/api/user/manage', { id: leaver.userId, action: 'delete' }))

    await expect
      .poll(async () => [await statusOn(0, token.key), await statusOn(1, token.key)], { timeout: 1000, interval: 50 })
      .toEqual([401, 401])
    expect((await leaver.get('/api/user/self')).status).toBe(401)
  })

  it('a stream of a deleted user ends as it would have, is charged, and nothing follows it', async () => {
    const scripted = await startVendorServer()
    try {
      await createChannel(api, { name: 'paced', models: 'gpt-4-turbo', base_url: `${scripted.url}/paced~100~20` })
      must(await api.post('/api/user/', { username: 'streamer', password: 'a-long-password' }))
      const streamer = await signIn(stack.controlPlane.url, 'streamer', 'a-long-password')
      const { key } = await createToken(streamer)
      must(await api.post('/api/user/quota', { id: streamer.userId, amount: 500_000, reason: 'test' }))
      const ask = async (relay: number): Promise<Response> =>
        await fetch(`${stack.relays[relay]?.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'gpt-4-turbo', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
        })
      const running = await Promise.all([ask(0), ask(1)])
      expect(running.map(({ status }) => status)).toEqual([200, 200])

      must(await api.post('/api/user/manage', { id: streamer.userId, action: 'delete' }))

      await expect.poll(async () => [await statusOn(0, key), await statusOn(1, key)], { timeout: 1000, interval: 50 }).toEqual([401, 401])
      expect(scripted.open()).toBe(2)
      expect((await streamer.get('/api/user/self')).status).toBe(401)
      for (const answer of running) expect(await answer.text()).toContain('data: [DONE]')
      const usage = async () =>
        await stack.database.db
          .selectFrom('logs')
          .select(['quota', 'completion_tokens', 'state'])
          .where('user_id', '=', streamer.userId)
          .where('type', '=', LogType.consume)
          .execute()
      await expect.poll(async () => (await usage()).length, { timeout: 20_000 }).toBe(2)
      const rows = await usage()
      for (const row of rows) expect(row).toMatchObject({ completion_tokens: 6, state: 'settled' })
      const wallet = await stack.database.db
        .selectFrom('users')
        .select(['credited', 'spent'])
        .where('id', '=', streamer.userId)
        .executeTakeFirstOrThrow()
      expect(wallet).toEqual({ credited: 500_000, spent: rows.reduce((sum, { quota }) => sum + quota, 0) })
      expect(wallet.spent).toBeGreaterThan(0)
    } finally {
      await scripted.stop()
    }
  })

  it('a key that moved to an organisation charges it; a request that was running charges its first account', async () => {
    const scripted = await startVendorServer()
    try {
      await createChannel(api, { name: 'paced too', models: 'gpt-4-turbo-2024-04-09', base_url: `${scripted.url}/paced~100~20` })
      must(await api.put('/api/option/', { key: 'OrganisationFounders', value: 'all' }))
      must(await api.post('/api/user/', { username: 'mover', password: 'a-long-password' }))
      const mover = await signIn(stack.controlPlane.url, 'mover', 'a-long-password')
      const { id, key } = await createToken(mover)
      const { id: firm } = must(await mover.post<{ id: number }>('/api/organisations/', { name: 'Firm' }))
      for (const account of [mover.userId, firm]) must(await api.post('/api/user/quota', { id: account, amount: 500_000, reason: 'test' }))
      const ask = (relay: number): Promise<Response> =>
        fetch(`${stack.relays[relay]?.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'gpt-4-turbo-2024-04-09', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
        })
      const running = await ask(0)
      const by = await signIn(stack.controlPlane.url, 'mover', 'a-long-password', { 'New-Api-User': String(firm) })
      const { id: project } = must(await by.post<{ id: number }>('/api/organisation/projects', { name: 'Moved' }))

      must(await by.post(`/api/organisation/projects/${project}/tokens`, { ids: [id] }))

      const later = await Promise.all([ask(0), ask(1)])
      for (const answer of [running, ...later]) expect(await answer.text()).toContain('data: [DONE]')
      const charged = async () =>
        (await stack.database.db.selectFrom('users').select(['id', 'spent']).where('id', 'in', [mover.userId, firm]).execute()).map(
          ({ id: account, spent }) => [account === firm, spent > 0],
        )
      await expect.poll(charged, { timeout: 20_000 }).toEqual(
        expect.arrayContaining([
          [true, true],
          [false, true],
        ]),
      )
      const rows = await stack.database.db
        .selectFrom('logs')
        .select(['user_id', 'state'])
        .where('model_name', '=', 'gpt-4-turbo-2024-04-09')
        .execute()
      expect(
        rows.map(({ user_id, state }) => `${user_id === firm ? 'firm' : 'person'} ${state}`).toSorted((a, b) => (a < b ? -1 : 1)),
      ).toEqual(['firm settled', 'firm settled', 'person settled'])
    } finally {
      await scripted.stop()
    }
  })

  describe('and so does a change of an option', () => {
    let vendor: FormatVendor
    let key: string
    beforeAll(async () => {
      vendor = await startFormatVendor(() => ({ kind: 'text', text: 'hello' }))
      const models = {
        1: ['gpt-4o', 'o3-mini', 'priced-model'],
        14: ['claude-3-7-sonnet-20250219', 'claude-3-7-sonnet-20250219-thinking'],
        24: ['gemini-2.0-flash', 'gemini-2.5-flash-thinking'],
      }
      for (const [type, names] of Object.entries(models))
        must(
          await api.post('/api/channel/', {
            type: Number(type),
            name: `type ${type}`,
            key: 'vendor-key',
            base_url: vendor.url,
            models: names.join(','),
            groups: ['default'],
          }),
        )
      const prices = Object.values(models)
        .flat()
        .filter((name) => name !== 'priced-model')
      must(await api.put('/api/option/', { key: 'ModelPrice', value: JSON.stringify(Object.fromEntries(prices.map((name) => [name, 0]))) }))
      must(await api.put('/api/option/', { key: 'ModelRatio', value: '{"priced-model":1}' }))
      must(await api.put('/api/option/', { key: 'CompletionRatio', value: '{"priced-model":1}' }))
      key = (await createToken(api, { remain_quota: 800_000 })).key
    })
    afterAll(() => vendor.stop())

    type Body = Record<string, unknown>
    type Case = {
      readonly option: string
      readonly value: string
      readonly model: string
      readonly body?: Body
      /** Request that the vendor received, or the answer's status. */
      readonly sees: (
        call: FormatVendor['calls'][number] | undefined,
        answer: { readonly status: number; readonly text: string },
      ) => unknown
      readonly before: unknown
      readonly after: unknown
      readonly also?: Readonly<Record<string, string>>
    }
    const claude = 'claude-3-7-sonnet-20250219'
    const budget = (call: FormatVendor['calls'][number] | undefined): unknown => call?.body['thinking']
    const geminiConfig = (call: FormatVendor['calls'][number] | undefined): Body => (call?.body['generationConfig'] ?? {}) as Body

    const ask = async (relay: number, model: string, body: Body): Promise<{ status: number; text: string }> => {
      const answer = await fetch(`${stack.relays[relay]?.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi there' }], ...body }),
      })
      return { status: answer.status, text: await answer.text() }
    }

    it.each<Case>([
      {
        option: 'claude.default_max_tokens',
        value: '{"default":1234}',
        model: claude,
        sees: (call) => call?.body['max_tokens'],
        before: 8192,
        after: 1234,
      },
      {
        option: 'claude.model_headers_settings',
        value: JSON.stringify({ [claude]: { 'anthropic-beta': ['beta-one', 'beta-two'] } }),
        model: claude,
        sees: (call) => call?.headers['anthropic-beta'],
        before: undefined,
        after: 'beta-one,beta-two',
      },
      {
        option: 'claude.thinking_adapter_enabled',
        value: 'false',
        model: `${claude}-thinking`,
        sees: (call) => [call?.body['model'], budget(call) === undefined],
        before: [claude, false],
        after: [`${claude}-thinking`, true],
      },
      {
        option: 'claude.thinking_adapter_budget_tokens_percentage',
        value: '0.5',
        model: `${claude}-thinking`,
        body: { max_tokens: 4000 },
        sees: budget,
        before: { type: 'enabled', budget_tokens: 3200 },
        after: { type: 'enabled', budget_tokens: 2000 },
      },
      {
        option: 'gemini.safety_settings',
        value: '{"default":"BLOCK_ONLY_HIGH"}',
        model: 'gemini-2.0-flash',
        sees: (call) => new Set((call?.body['safetySettings'] as { threshold: string }[] | undefined)?.map(({ threshold }) => threshold)),
        before: new Set(['OFF', 'BLOCK_NONE']),
        after: new Set(['BLOCK_ONLY_HIGH']),
      },
      {
        option: 'gemini.version_settings',
        value: '{"default":"v1alpha"}',
        model: 'gemini-2.0-flash',
        sees: (call) => call?.path.split('/')[1],
        before: 'v1beta',
        after: 'v1alpha',
      },
      {
        option: 'gemini.supported_imagine_models',
        value: '["gemini-2.0-flash"]',
        model: 'gemini-2.0-flash',
        sees: (call) => geminiConfig(call)['responseModalities'],
        before: undefined,
        after: ['TEXT', 'IMAGE'],
      },
      {
        option: 'gemini.thinking_adapter_enabled',
        value: 'true',
        model: 'gemini-2.5-flash-thinking',
        sees: (call) => /models\/([^:]+):/.exec(call?.path ?? '')?.[1],
        before: 'gemini-2.5-flash-thinking',
        after: 'gemini-2.5-flash',
      },
      {
        option: 'gemini.thinking_adapter_budget_tokens_percentage',
        value: '0.5',
        model: 'gemini-2.5-flash-thinking',
        body: { max_tokens: 4000 },
        also: { 'gemini.thinking_adapter_enabled': 'true' },
        sees: (call) => (geminiConfig(call)['thinkingConfig'] as Body | undefined)?.['thinkingBudget'],
        before: 2400,
        after: 2000,
      },
      {
        option: 'global.pass_through_request_enabled',
        value: 'true',
        model: 'o3-mini',
        body: { max_tokens: 5 },
        sees: (call) => [call?.body['max_tokens'], call?.body['max_completion_tokens']],
        before: [undefined, 5],
        after: [5, undefined],
      },
      {
        option: 'SensitiveWords',
        value: 'forbidden\nhi there',
        model: 'gpt-4o',
        sees: (_call, { status }) => status,
        before: 200,
        after: 400,
      },
      {
        option: 'CheckSensitiveEnabled',
        value: 'false',
        model: 'gpt-4o',
        also: { SensitiveWords: 'hi there' },
        sees: (_call, { status }) => status,
        before: 400,
        after: 200,
      },
      {
        option: 'CheckSensitiveOnPromptEnabled',
        value: 'false',
        model: 'gpt-4o',
        also: { SensitiveWords: 'hi there' },
        sees: (_call, { status }) => status,
        before: 400,
        after: 200,
      },
      {
        option: 'ModelRequestRateLimitGroup',
        value: '{"default":[1,1]}',
        model: 'gpt-4o',
        also: { ModelRequestRateLimitEnabled: 'true', ModelRequestRateLimitCount: '1000' },
        sees: (_call, { status }) => status,
        before: 200,
        after: 429,
      },
      {
        option: 'PreConsumedQuota',
        value: '900000',
        model: 'priced-model',
        sees: (_call, { status }) => status,
        before: 200,
        after: 403,
      },
      {
        option: 'ModelRequestRateLimitCount',
        value: '1',
        model: 'gpt-4o',
        also: { ModelRequestRateLimitEnabled: 'true' },
        sees: (_call, { status }) => status,
        before: 200,
        after: 429,
      },
    ])('$option', async ({ option, value, model, body = {}, sees, before, after, also = {} }) => {
      const look = async (relay: number): Promise<unknown> => {
        const count = vendor.calls.length
        const answer = await ask(relay, model, body)
        return sees(vendor.calls.slice(count).at(-1), answer)
      }
      const both = async (): Promise<unknown[]> => [await look(0), await look(1)]
      const put = async (options: Readonly<Record<string, string>>): Promise<void> => {
        for (const [name, text] of Object.entries(options)) must(await api.put('/api/option/', { key: name, value: text }))
      }
      const stored = new Map((await api.get<{ key: string; value: string }[]>('/api/option/')).data.map((row) => [row.key, row.value]))
      const restored = Object.fromEntries([option, ...Object.keys(also)].map((name) => [name, stored.get(name) ?? '']))
      try {
        await put(also)
        await expect.poll(both, { timeout: 1000, interval: 50 }).toEqual([before, before])
        await put({ [option]: value })
        await expect.poll(both, { timeout: 1000, interval: 50 }).toEqual([after, after])
      } finally {
        await put(restored)
      }
    })

    it('quotes the new price on both relays once a scheduled change takes effect', async () => {
      type Row = { readonly ratio: number; readonly version: number }
      const lastQuotes = async (): Promise<readonly Row[]> => {
        for (const relay of [0, 1]) expect((await ask(relay, 'priced-model', {})).status).toBe(200)
        const found = await stack.database.db
          .selectFrom('logs')
          .selectAll()
          .where('model_name', '=', 'priced-model')
          .where('request_id', '<>', '')
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(2)
          .execute()
        return found.map(withFacts).flatMap(({ quote }) => {
          return quote?.mode === 'ratio' ? [{ ratio: quote.model_ratio, version: quote.price_version }] : []
        })
      }
      const ratios = async (): Promise<number[]> => (await lastQuotes()).map(({ ratio }) => ratio)
      await expect.poll(ratios, { timeout: 10_000, interval: 500 }).toEqual([1, 1])
      const before = (await lastQuotes())[0]?.version ?? 0
      const at = Math.floor(Date.now() / 1000) + 2
      must(await api.post('/api/option/price_change', { prices: { ModelRatio: '{"priced-model":3}' }, at }))
      expect(await ratios()).toEqual([1, 1])

      await expect.poll(ratios, { timeout: 20_000, interval: 500 }).toEqual([3, 3])
      expect((await lastQuotes())[0]?.version).toBeGreaterThan(before)
    })
  })
})
