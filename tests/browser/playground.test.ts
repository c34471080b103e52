import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, createToken, must } from '../support/api.ts'
import { inspectPage, isSeenIn, LOOKS, type Look } from '../support/browser.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'

type LogRow = { readonly token_name: string; readonly quota: number; readonly completion_tokens: number; readonly state: string }

/** Talking to models in the console, with scripted vendors behind a real stack. */
describe('the playground', () => {
  let app: ConsoleUnderTest
  let page: Page
  let chat: Server
  let chatUrl: string
  const framed: string[] = []

  beforeAll(async () => {
    app = await startConsole()
    const channelOf = async (name: string, scenario: string, models: string): Promise<void> => {
      await createChannel(app.api, { name, models, base_url: `${app.vendor.url}/${scenario}` })
    }
    await channelOf('quick', 'ok', 'gpt-4o-mini,whisper-1,tts-1,dall-e-3')
    await channelOf('slow', 'paced~120~400', 'gpt-4o')
    await channelOf('refusing', 'status~400', 'gpt-4-turbo')
    await channelOf('tools', 'tools', 'gpt-3.5-turbo')
    await channelOf('cut', 'cut-mid-stream', 'gpt-4')
    chat = createServer((incoming, reply) => {
      // Browsers ask for the icon of a page in a tab.
      if (incoming.url !== '/favicon.ico') framed.push(`${incoming.url ?? ''} from ${incoming.headers.referer ?? 'nowhere'}`)
      reply
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<p>the chat</p><script>if (top !== window) try { top.location = "/left" } catch {}</script>')
    })
    await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve))
    const { port } = chat.address() as AddressInfo // a listening TCP server has one
    chatUrl = `http://127.0.0.1:${port}`
    must(await app.api.put('/api/option/', { key: 'ServerAddress', value: app.origin }))
    page = await app.openSignedIn()
  })
  afterAll(async () => {
    await app.stop()
    chat.closeAllConnections()
    chat.close()
  })

  const open = async (search = ''): Promise<void> => {
    await page.goto(`${app.origin}/playground${search}`)
    await page.getByRole('tab', { name: 'Chat' }).waitFor()
  }
  const choose = async (model: string): Promise<void> => {
    await page.getByLabel('Model', { exact: true }).selectOption(model)
  }
  const ask = async (text: string): Promise<void> => {
    await page.getByLabel('Message', { exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }
  const lastAnswer = (): Locator => page.getByRole('article', { name: 'Answer' }).last()
  const lastEntry = async (model: string): Promise<LogRow | undefined> => {
    const { items } = must(await app.api.get<{ items: LogRow[] }>(`/api/log/self?p=1&page_size=1&model_name=${model}`))
    return items[0]
  }

  it('greets in the language of the console', async ({ onTestFinished }) => {
    // The other tests read English.
    onTestFinished(() => page.evaluate('localStorage.setItem("i18nextLng", "en")'))
    await open()
    await page.getByText('Hello! How can I help you?').waitFor()
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitemradio', { name: '中文' }).click()
    await page.getByText('你好！有什么可以帮你？').waitFor()
    await page.getByRole('button', { name: '语言' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await page.getByText('Hello! How can I help you?').waitFor()
  })

  it('streams an answer and shows what it took, what it cost and why', async () => {
    await open()
    await ask('Say hello')

    await lastAnswer().getByText('Hello from the scripted vendor.').waitFor()
    await lastAnswer().getByText('12 in / 6 out').waitFor()
    await lastAnswer()
      .getByText(/\$0\.0000\d\d/)
      .waitFor()
    await lastAnswer().getByRole('link', { name: 'See what it cost' }).click()
    await page.getByRole('dialog').getByText('playground-default').first().waitFor()
    expect(await lastEntry('gpt-4o-mini')).toMatchObject({ token_name: 'playground-default', completion_tokens: 6, state: 'settled' })
  })

  it('keeps the conversation across a reload, edits a question and clears it', async () => {
    await open()
    await page.getByText('Say hello').waitFor()
    await page.getByRole('button', { name: 'Edit and ask again' }).click()
    await page.getByRole('textbox', { name: 'Edit and ask again' }).fill('Say hello twice')
    await page.getByRole('article').getByRole('button', { name: 'Send' }).click()
    await page.getByText('Say hello twice').waitFor()
    await lastAnswer().getByText('Hello from the scripted vendor.').waitFor()

    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'New chat' }).click()
    await page.getByText('Say hello twice').waitFor({ state: 'detached' })
  })

  it('draws only what is near the view of a long conversation, and the rest when it is scrolled to', async () => {
    const reader = await app.openSignedIn()
    await reader.goto(`${app.origin}/playground`)
    await reader.evaluate(KEEP_LONG_ANSWER)
    await reader.reload()
    const lines = reader.getByRole('article', { name: 'Answer' }).last().locator('p strong')
    const log = reader.getByRole('log')
    await vi.waitUntil(async () => (await log.textContent())?.includes('**line 2**'), { timeout: 10_000 })
    expect(await lines.count()).toBeLessThan(1_000)

    await reader.evaluate(`document.querySelector('[role=log]').scrollTo({ top: 0 })`)
    await lines.getByText('line 2', { exact: true }).waitFor()
    await reader.context().close()
  })

  it('stops in the middle, keeps what has arrived and is charged for it', async () => {
    await open()
    await choose('gpt-4o')
    await ask('Write a lot')
    await lastAnswer()
      .getByText(/Hello from the scripted vendor/)
      .waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()

    await page.getByRole('button', { name: 'Send' }).waitFor()
    await lastAnswer()
      .getByText(/Hello from the scripted vendor/)
      .waitFor()
    const entry = await vi.waitUntil(() => lastEntry('gpt-4o'), { timeout: 30_000 })
    expect(entry?.quota).toBeGreaterThan(0)
    expect(entry?.completion_tokens).toBeLessThan(400)
  })

  it('shows the error of a vendor as the answer, and below what had arrived before', async () => {
    await open()
    await choose('gpt-4-turbo')
    await ask('Fail')
    await lastAnswer()
      .getByRole('alert')
      .getByText(/scripted status 400/)
      .waitFor()

    await choose('gpt-4')
    await ask('Break')
    await lastAnswer().getByText('Hello from the').waitFor()
    await lastAnswer().getByRole('alert').waitFor()
  })

  it('asks again when the network is back, where the reader wants that', async () => {
    await open()
    await choose('gpt-4o-mini')
    await page.getByText('Reconnect', { exact: true }).click()
    await page.context().setOffline(true)
    await ask('Are you there?')
    await lastAnswer().getByLabel('Waiting for the answer').waitFor()
    await page.context().setOffline(false)

    await lastAnswer().getByText('Hello from the scripted vendor.').waitFor()
    await page.getByText('Reconnect', { exact: true }).click()
  })

  it('takes a pasted picture and sends it with the question', async () => {
    await open()
    await page.getByLabel('Message', { exact: true }).focus()
    await page.evaluate(PASTE_PICTURE)
    await page.getByRole('img', { name: 'Image 1' }).waitFor()
    await ask('What is it?')

    await lastAnswer().getByText('Hello from the scripted vendor.').waitFor()
    expect(app.vendor.callsOf('ok').at(-1)?.text).toContain('data:image/png;base64,')
  })

  it('shows the calls of tools and sends their results', async () => {
    await open()
    await choose('gpt-3.5-turbo')
    await page.getByRole('button', { name: 'Tools and structured output' }).click()
    await page.getByRole('button', { name: 'Insert an example' }).first().click()
    await ask('Weather?')
    await page.getByLabel('Result of the tool weather 1').fill('sunny')
    await page.getByLabel('Result of the tool weather 2').fill('rain')
    await page.getByRole('button', { name: 'Send the results' }).click()

    await vi.waitUntil(() => app.vendor.callsOf('tools').length === 2, { timeout: 10_000 })
    const [first, second] = app.vendor.callsOf('tools')
    expect(first?.text).toContain('get_weather')
    expect(second?.text).toContain('"content":"rain"')
  })

  it('compares four models with one prompt', async () => {
    await open('?tab=compare')
    const add = page.getByRole('button', { name: 'Add a model' })
    await add.click()
    await add.click()
    await add.waitFor({ state: 'detached' })
    for (const [at, model] of ['gpt-4o-mini', 'gpt-4o', 'gpt-4', 'gpt-4o-mini'].entries())
      await page.getByLabel('Model', { exact: true }).nth(at).selectOption(model)
    await ask('Compare yourselves')

    const quick = page.getByRole('region', { name: 'gpt-4o-mini' })
    for (const column of [quick.first(), quick.last()]) {
      await column.getByText('Hello from the scripted vendor.').waitFor()
      await column.getByText('12 / 6').waitFor()
      await column.getByText(/\$0\.0000\d\d/).waitFor()
    }
    await page.getByRole('region', { name: 'gpt-4' }).getByRole('alert').waitFor()
    // The column that still answers has a button of its own.
    await page.getByRole('button', { name: 'Stop gpt-4o', exact: true }).click()
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' })
    await page
      .getByRole('region', { name: 'gpt-4o', exact: true })
      .getByText(/Hello from/)
      .waitFor()
  })

  it('makes a picture, speech and a transcript', async () => {
    await open('?tab=images')
    await page.getByLabel('Prompt').fill('a cat')
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('img', { name: 'Generated image 1' }).waitFor()

    await page.getByRole('tab', { name: 'Speech' }).click()
    await page.getByLabel('Text').fill('Good morning')
    await page.getByRole('button', { name: 'Read aloud' }).click()
    await page.getByLabel('Speech', { exact: true }).and(page.locator('audio')).waitFor()

    await page.getByRole('tab', { name: 'Transcription' }).click()
    await page.locator('input[type=file]').setInputFiles({ name: 'a.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('sound') })
    await page.getByRole('button', { name: 'Transcribe' }).click()
    await page.getByText('Hello from the audio.').waitFor()
    const entry = await vi.waitUntil(() => lastEntry('whisper-1'), { timeout: 30_000 })
    expect(entry).toMatchObject({ token_name: 'playground-default' })
  })

  it('opens and closes its settings on a phone, and compares in tabs there', async () => {
    const phone = await app.openSignedIn({ width: 390 })
    await phone.goto(`${app.origin}/playground`)
    const panel = phone.getByRole('region', { name: 'Settings' })
    await phone.getByRole('button', { name: 'Settings', exact: true }).click()
    await panel.waitFor()
    await phone.getByRole('button', { name: 'Settings', exact: true }).click()
    await panel.waitFor({ state: 'detached' })

    await phone.getByRole('tab', { name: 'Compare' }).click()
    await phone.getByRole('tablist', { name: 'Compared models' }).getByRole('tab').nth(1).click()
    await phone.getByRole('region').getByLabel('Model', { exact: true }).waitFor()
    await phone.context().close()
  })

  const storeChats = async (chats: unknown): Promise<void> => {
    must(await app.api.put('/api/option/', { key: 'Chats', value: JSON.stringify(chats) }))
  }

  it('says that no token is enabled before it opens a chat, and goes where one is made', async () => {
    await storeChats([{ Ours: `${chatUrl}/?key={key}&url={address}` }])
    await page.goto(`${app.origin}/chat/0`)

    await page.getByText('No token is enabled. Please check that one of your tokens is.').first().waitFor()
    await page.waitForURL('**/token')
    expect(framed).toEqual([])
  })

  it('frames a chat with the first enabled key and without a referrer, and keeps it in its frame', async () => {
    const { key } = await createToken(app.api)
    const { id } = await createToken(app.api)
    must(await app.api.put('/api/token/?status_only=true', { id, status: 2 }))
    await page.getByRole('link', { name: 'Ours' }).click()
    await page.frameLocator('iframe').getByText('the chat').waitFor()

    const address = encodeURIComponent(app.origin)
    expect(framed).toEqual([`/?key=sk-${key}&url=${address} from nowhere`])
    expect(page.url()).toBe(`${app.origin}/chat/0`)
    expect(await page.getByRole('link', { name: 'Playground' }).count()).toBe(0)
    // No sidebar and no padding: the frame is as wide as the page.
    const { width } = (await page.locator('body').boundingBox()) ?? {}
    expect(await page.locator('iframe').boundingBox()).toMatchObject({ x: 0, width })
  })

  it('opens a chat in the same tab from /chat2link', async () => {
    // The page leaves before it has loaded.
    await page.goto(`${app.origin}/chat2link`, { waitUntil: 'commit' })

    await page.waitForURL(`${chatUrl}/**`)
    expect(framed.at(-1)).toMatch(/^\/\?key=sk-.* from nowhere$/)
  })

  it.each([
    ['a link that is no address', [{ Bad: 'nothing' }], 'The chat link is not configured correctly. Please contact your administrator.'],
    ['no link', [], 'Please ask your administrator to configure a chat link'],
  ])('says that there is %s', async (_what, chats, text) => {
    await storeChats(chats)
    await page.goto(`${app.origin}/chat/0`)

    await page.getByText(text).waitFor()
  })

  it.each(LOOKS)('has no serious axe violation and no horizontal scrolling: $language $theme $width', async (look: Look) => {
    const tab = await app.openSignedIn(look)
    const findings: string[] = []
    const searches = ['', '?tab=compare', '?tab=images', '?tab=speech', '?tab=transcription']
    for (const search of searches.filter((_, at) => isSeenIn(look, at))) {
      await tab.goto(`${app.origin}/playground${search}`)
      findings.push(await inspectPage(tab, search))
    }
    await tab.context().close()

    expect(findings.filter((finding) => finding !== '')).toEqual([])
  })

  it('throws no error', () => {
    expect(app.pageErrors).toEqual([])
  })
})

/** Keeps a conversation with an answer of 2 000 paragraphs, as the page does. */
const KEEP_LONG_ANSWER = `(() => {
  const content = Array.from({ length: 2000 }, (_, at) => '**line ' + at + '** of a long answer').join('\\n\\n')
  const messages = [
    { id: '4', role: 'user', createAt: 1, content: 'Write a lot' },
    { id: '5', role: 'assistant', createAt: 1, content, status: 'complete' },
  ]
  localStorage.setItem('playground-chat', JSON.stringify({ user_id: JSON.parse(localStorage.getItem('user')).id, messages }))
})()`

/** Pastes a picture of one pixel into the focused element. */
const PASTE_PICTURE = `(async () => {
  const canvas = new OffscreenCanvas(1, 1)
  canvas.getContext('2d').fillRect(0, 0, 1, 1)
  const data = new DataTransfer()
  data.items.add(new File([await canvas.convertToBlob({ type: 'image/png' })], 'one.png', { type: 'image/png' }))
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
})()`
