import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, ROOT_USER, signIn, type Api } from '../support/api.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'
import { post, quotedAfter, readSnippets, runNode, runShell, type ShownSnippet } from '../support/snippets.ts'

const CHAT = { messages: [{ role: 'user', content: 'Hello' }] }
const bearer = (key: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${key}` })

/** Code runs as it is shown. Python code and settings are proven by the request that the client makes of their values. */
const RUN_BY_CLIENT: Readonly<Record<string, (shown: ShownSnippet) => Promise<string>>> = {
  curl: async ({ code: [command = ''] }) => joinDeltas(await runShell(command)),
  'OpenAI SDK Node': ({ code: [file = ''] }) => runNode(file),
  'Anthropic SDK Node': ({ code: [file = ''] }) => runNode(file),
  'Google Gen AI SDK Node': ({ code: [file = ''] }) => runNode(file),
  'OpenAI SDK Python': ({ code: [code = ''] }) =>
    post(`${quotedAfter(code, 'base_url')}/chat/completions`, bearer(quotedAfter(code, 'api_key')), {
      model: quotedAfter(code, 'model'),
      ...CHAT,
    }),
  'Anthropic SDK Python': ({ code: [code = ''] }) =>
    post(
      `${quotedAfter(code, 'base_url')}/v1/messages`,
      { 'x-api-key': quotedAfter(code, 'api_key'), 'anthropic-version': '2023-06-01' },
      { model: quotedAfter(code, 'model'), max_tokens: 1024, ...CHAT },
    ),
  'Google Gen AI SDK Python': ({ code: [code = ''] }) =>
    post(
      `${quotedAfter(code, 'base_url')}/v1beta/models/${quotedAfter(code, 'model')}:generateContent`,
      { 'x-goog-api-key': quotedAfter(code, 'api_key') },
      { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    ),
  'Claude Code': ({ code: [settings = ''] }) =>
    post(
      `${quotedAfter(settings, 'ANTHROPIC_BASE_URL')}/v1/messages?beta=true`,
      { ...bearer(quotedAfter(settings, 'ANTHROPIC_AUTH_TOKEN')), 'anthropic-version': '2023-06-01' },
      { model: quotedAfter(settings, 'ANTHROPIC_MODEL'), max_tokens: 1024, ...CHAT },
    ),
  Codex: async ({ code: [config = '', environment = ''] }) => {
    const key = await runShell(`${environment}\nprintf %s "$${quotedAfter(config, 'env_key')}"`)
    expect(quotedAfter(config, 'wire_api')).toBe('responses')
    return await post(`${quotedAfter(config, 'base_url')}/responses`, bearer(key), { model: quotedAfter(config, 'model'), input: 'Hello' })
  },
  'Gemini CLI': async ({ code: [settings = '', commands = ''] }) => {
    expect(JSON.parse(settings)).toEqual({ security: { auth: { selectedType: 'gemini-api-key' } } })
    const values = await runShell(`gemini() { printf '%s\\n' "$GOOGLE_GEMINI_BASE_URL" "$GEMINI_API_KEY" "$@"; }\n${commands}`)
    const [address = '', key = '', flag, model = ''] = values.trim().split('\n')
    expect(flag).toBe('-m')
    return await post(
      `${address}/v1beta/models/${model}:generateContent`,
      { 'x-goog-api-key': key },
      { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    )
  },
  OpenCode: ({ code: [settings = ''] }) =>
    post(`${quotedAfter(settings, 'baseURL')}/chat/completions`, bearer(quotedAfter(settings, 'apiKey')), {
      model: modelOf(settings),
      ...CHAT,
    }),
  Cursor: ({ fields }) =>
    post(`${fields['Override OpenAI Base URL']}/chat/completions`, bearer(fields['OpenAI API Key'] ?? ''), {
      model: fields['Add Custom Model'],
      ...CHAT,
    }),
  // It adds the version itself.
  'Cherry Studio': ({ fields }) =>
    post(`${fields['API Host']}/v1/chat/completions`, bearer(fields['API Key'] ?? ''), { model: fields['Model ID'], ...CHAT }),
}

/** OpenCode names a model with its provider. */
const modelOf = (settings: string) => (JSON.parse(settings) as { model: string }).model.replace('gateway/', '') // as the snippet writes it

/** A new operator's path through the console. */
describe('the first steps in the console', () => {
  let app: ConsoleUnderTest
  let page: Page
  let origin: string
  let key: string
  let snippets: ReadonlyMap<string, ShownSnippet>

  beforeAll(async () => {
    app = await startConsole({ isSetUp: false })
    origin = app.origin
    page = await app.openVisitor({ language: 'zh' })
  })
  afterAll(async () => {
    await app.stop()
  })

  it('leads a new installation to the setup page, signs root in and shows the checklist', async () => {
    await page.goto(origin)
    await page.waitForURL('**/setup')

    await page.getByLabel('管理员用户名').fill(ROOT_USER.username)
    await page.getByLabel(/^密码/).fill(ROOT_USER.password)
    await page.getByLabel('确认密码').fill(ROOT_USER.password)
    await page.getByRole('button', { name: '初始化系统' }).click()

    await page.getByRole('heading', { name: /^开始使用/ }).waitFor()
    await page.goto(`${origin}/token`)
    await page.getByRole('region', { name: '开始使用' }).getByText('已完成 0/5 步').waitFor()
  })

  it('sends a visitor to the sign-in page, and then to the tokens page', async () => {
    await page.context().clearCookies()
    await page.evaluate(`localStorage.removeItem('user')`)
    await page.goto(`${origin}/token`)
    await page.waitForURL('**/login**')
    await page.getByLabel('用户名或邮箱').fill(ROOT_USER.username)
    await page.getByLabel(/^密码/).fill(ROOT_USER.password)
    await page.keyboard.press('Enter')

    await page.waitForURL('**/token')
    await page.getByText('令牌仅供本人使用，请勿转交他人。').waitFor()
  })

  it('creates a channel', async () => {
    await page.goto(`${origin}/channel`)
    await page.getByRole('button', { name: '添加渠道' }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel(/^名称/).fill('剧本')
    await drawer.getByLabel(/^密钥/).fill('sk-vendor')
    await drawer.getByLabel('接口地址').fill(`${app.vendor.url}/ok`)
    await drawer.getByRole('button', { name: '清空模型' }).click()
    await drawer.getByLabel('自定义模型名称').fill('gpt-4o-mini')
    await drawer.getByRole('button', { name: '加入' }).click()
    await drawer.getByRole('button', { name: '创建', exact: true }).click()

    await page.getByText('渠道创建成功！').waitFor()
    await page.getByRole('cell', { name: '剧本' }).first().waitFor()
  })

  it('creates a token and shows its key with snippets for every client', async () => {
    await page.goto(`${origin}/token`)
    await page.getByRole('button', { name: '新建令牌' }).first().click()
    await page.getByRole('dialog').getByLabel(/^名称/).fill('浏览器')
    await page.getByRole('dialog').getByRole('button', { name: '创建', exact: true }).click()
    await page.getByText('令牌创建成功，请在列表页面点击复制获取令牌！').waitFor()
    const created = page.getByRole('dialog', { name: '已创建 1 个令牌' })
    key = (await created.getByLabel('密钥', { exact: true }).innerText()).trim()
    snippets = await readSnippets(created)

    expect(key).toMatch(/^sk-[0-9A-Za-z]{48}$/)
    expect([...snippets.keys()].sort()).toEqual(Object.keys(RUN_BY_CLIENT).sort())
    for (const [name, snippet] of snippets) expect([name, JSON.stringify(snippet).includes(key)]).toEqual([name, true])
  })

  it('answers the shown curl command and leads to that very row, with what it cost and why', async () => {
    const answer = await runShell(snippets.get('curl')?.code[0] ?? '')
    expect(answer.trimEnd().endsWith('data: [DONE]')).toBe(true)

    const created = page.getByRole('dialog', { name: '已创建 1 个令牌' })
    await created.getByText('收到了！gpt-4o-mini 已经回答了你的第一个请求。').waitFor({ timeout: 30_000 })
    await created.getByRole('link', { name: '看看花了多少' }).click()

    const drawer = page.getByRole('dialog')
    await drawer.getByText('时间线').first().waitFor()
    const text = await drawer.innerText()
    for (const part of ['gpt-4o-mini', '浏览器', '时间线', '候选渠道', '已选用', '计价', '账目', '预留', '实际扣费', '退回', '请求 ID'])
      expect(text).toContain(part)
    const [row, ...others] = await rowsOf(await signIn(origin, ROOT_USER.username, ROOT_USER.password))
    expect([text.includes(row?.request_id ?? '?'), new URL(page.url()).searchParams.get('open'), others]).toEqual([
      true,
      String(row?.id),
      [],
    ])
  })

  it('keeps the open explanation in the URL, so that it survives a reload', async () => {
    const address = page.url()
    await page.reload()

    await page.getByRole('dialog').getByText('请求说明').first().waitFor()
    expect(page.url()).toBe(address)
  })

  it.each(Object.keys(RUN_BY_CLIENT))('answers the snippet for %s as it is shown', async (client) => {
    const snippet = snippets.get(client)
    if (snippet === undefined) throw new Error(`${client} has no snippet`)

    expect(await RUN_BY_CLIENT[client]?.(snippet)).toContain('Hello from the scripted vendor.')
  })

  it('sets a tool up with a token of its own, and shows its first request arrive', async () => {
    await page.goto(`${origin}/token`)
    await page.getByRole('link', { name: '接入工具' }).click()
    await page.getByRole('navigation', { name: '工具' }).getByRole('link', { name: 'curl' }).click()
    await page.getByRole('button', { name: '为该工具新建令牌' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '创建', exact: true }).click()
    await page.waitForURL('**/client-setup?client=curl&token=*')
    await page.getByLabel('令牌', { exact: true }).and(page.locator('select')).selectOption({ label: 'curl' })
    const panel = page.getByRole('region', { name: 'curl' })
    await panel.getByRole('button', { name: '复制' }).click()
    const command = await page.evaluate<string>('navigator.clipboard.readText()')
    expect([command.includes(key), command.includes('"model":"gpt-4o-mini"')]).toEqual([false, true])
    await page.getByRole('button', { name: '开始等待' }).click()

    await runShell(command)

    const test = page.getByRole('region', { name: '测试' })
    await test.getByText('收到了：gpt-4o-mini 已经回答。').waitFor({ timeout: 30_000 })
    await test.getByRole('button', { name: '等待下一个' }).click()
    await runShell(command.replace('gpt-4o-mini', 'no-such-model'))
    await test.getByText('模型 no-such-model 不存在').waitFor({ timeout: 30_000 })
    await test.getByRole('link', { name: '查看原因' }).click()
    await page.waitForURL('**/log?open=*')
  })

  it('throws no error in the page', () => {
    expect(app.pageErrors).toEqual([])
  })
})

type LogRow = { readonly id: number; readonly request_id: string }

/** The requests in the log. */
async function rowsOf(api: Api): Promise<readonly LogRow[]> {
  return must(await api.get<{ items: LogRow[] }>('/api/log/?p=1&page_size=10&type=2')).items
}

/** The text of a streamed chat answer. */
function joinDeltas(stream: string): string {
  const deltas = stream.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)
  return [...deltas].map(([, text = '""']) => JSON.parse(text) as string).join('') // the pattern matches JSON strings
}
