/**
 * Measures the playground in Chromium against a running installation, through a channel that it adds and deletes: frames and typing
 * while an answer streams, frames while a long answer is drawn, and the heap over many answers.
 *
 *   npx node web/console/scripts/measure-streaming.ts ADDRESS USER PASSWORD [MINUTES] [heap]
 *
 * With `heap` only the last part runs.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'

const [address = '', username = '', password = '', minutes = '3', only = ''] = process.argv.slice(2)
const TOKENS_PER_SECOND = 200
const MODEL = 'gpt-4o-mini'
const CHANNEL = `measured ${Date.now()}`

const PARAGRAPH =
  'The gateway **meters** each request, and `settles` what it took; see [the log](https://example.com) for *why* it cost that.\n\n'
const PIECES = [
  '## A heading\n\n',
  PARAGRAPH,
  PARAGRAPH,
  '- one item of a list\n- another with `code`\n- a third\n\n',
  '```ts\nexport const answer = (question: string): number => {\n  // Everything is forty-two.\n  return question.length * 42\n}\n```\n\n',
  '| name | value |\n| --- | --- |\n| one | 1 |\n| two | 2 |\n\n',
]
const textOf = (size: number): string =>
  PIECES.join('')
    .repeat(Math.ceil(size / PIECES.join('').length))
    .slice(0, size)

const event = (delta: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: MODEL, choices: [{ index: 0, delta }] })}\n\n`

/** The question says how much is answered, and whether at once: `stream 30` (seconds) or `whole 200` (KB). */
async function answer(question: string, reply: ServerResponse): Promise<void> {
  const [, kind = '', amount = '1'] = /(stream|whole) (\d+)/.exec(question) ?? []
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  if (kind === 'whole') reply.write(event({ content: textOf(Number(amount) * 1024) }))
  else {
    const tokens = textOf(Number(amount) * TOKENS_PER_SECOND * 4).match(/[\s\S]{1,4}/g) ?? []
    const begun = performance.now()
    for (let sent = 0; sent < tokens.length && !reply.destroyed; await wait(5))
      for (const due = ((performance.now() - begun) / 1000) * TOKENS_PER_SECOND; sent < due && sent < tokens.length; sent += 1)
        reply.write(event({ content: tokens[sent] }))
  }
  reply.end('data: [DONE]\n\n')
}

const vendor = createServer((incoming, reply) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    const questions =
      Buffer.concat(chunks)
        .toString()
        .match(/(stream|whole) \d+/g) ?? []
    void answer(questions.at(-1) ?? '', reply)
  })
})
await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
const { port } = vendor.address() as AddressInfo // a listening TCP server has one

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--enable-precise-memory-info'] })
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })).newPage()
page.setDefaultTimeout(600_000)
await page.addInitScript(`localStorage.setItem('i18nextLng', 'en')`)
await page.goto(`${address}/login`)
await page.locator('input').first().fill(username)
await page.locator('input[type=password]').fill(password)
await page.keyboard.press('Enter')
await page.waitForURL((url) => !url.pathname.startsWith('/login'))

await callApi('POST', '/api/channel/', {
  type: 1,
  name: CHANNEL,
  key: 'sk-x',
  models: MODEL,
  group: 'default',
  groups: ['default'],
  base_url: `http://127.0.0.1:${port}`,
})
const found = await callApi<{ items?: { id: number }[] } | { id: number }[]>(
  'GET',
  `/api/channel/search?keyword=${encodeURIComponent(CHANNEL)}`,
)
const channel = (Array.isArray(found) ? found : found.items)?.[0]?.id ?? 0

async function callApi<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answered = await page.evaluate<{ success: boolean; message: string; data: T }>(`fetch(${JSON.stringify(path)}, {
    method: ${JSON.stringify(method)},
    headers: { 'content-type': 'application/json', 'New-Api-User': String(JSON.parse(localStorage.getItem('user')).id) },
    ${body === undefined ? '' : `body: ${JSON.stringify(JSON.stringify(body))},`}
  }).then((answer) => answer.json())`)
  if (!answered.success) throw new Error(`${path}: ${answered.message}`)
  return answered.data
}

/** Notes the time of every frame. */
const WATCH = `(() => {
  window.frames_ = [performance.now()]
  const note = (now) => { window.frames_.push(now); window.frameRequest = requestAnimationFrame(note) }
  cancelAnimationFrame(window.frameRequest ?? 0)
  window.frameRequest = requestAnimationFrame(note)
})()`

async function frames(name: string): Promise<void> {
  const times = await page.evaluate<number[]>('window.frames_')
  const gaps = times
    .slice(1)
    .map((time, at) => time - (times[at] ?? time))
    .toSorted((a, b) => a - b)
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  const at = (share: number): string => (gaps[Math.floor(gaps.length * share)] ?? 0).toFixed(1)
  console.log(
    `${name}: ${(gaps.length / seconds).toFixed(1)} frames/s over ${seconds.toFixed(1)} s; gap p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${(gaps.at(-1) ?? 0).toFixed(1)} ms; over 50 ms: ${gaps.filter((gap) => gap > 50).length}`,
  )
}

/** The longest task of a trace in processor time, which other programs on the machine do not change. */
async function longestTask(name: string): Promise<void> {
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: { name: string; tdur?: number; pid: number; tid: number }[]
  } // Chromium's format
  const threads = new Set(trace.traceEvents.filter((one) => one.name === 'FireAnimationFrame').map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = trace.traceEvents.filter(({ name: kind, pid, tid }) => kind.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
  const times = tasks.map(({ tdur = 0 }) => tdur / 1000).toSorted((a, b) => b - a)
  console.log(
    `${name}: longest tasks ${times
      .slice(0, 5)
      .map((time) => time.toFixed(1))
      .join(', ')} ms of processor time`,
  )
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline']

const box = page.getByLabel('Message', { exact: true })
const done = (): Promise<void> => page.getByRole('button', { name: 'Send', exact: true }).waitFor()
async function ask(text: string): Promise<void> {
  await box.fill(text)
  await page.keyboard.press('Enter')
}
const openNew = async (): Promise<void> => {
  await page.evaluate(`localStorage.removeItem('playground-chat')`)
  await page.goto(`${address}/playground`)
  await page.getByLabel('Model', { exact: true }).selectOption(MODEL)
  await page.getByLabel('Channel', { exact: true }).fill(String(channel))
}

if (only !== 'heap') await measureFrames()
await measureHeap()
await callApi('DELETE', `/api/channel/${channel}/`)
await browser.close()
vendor.closeAllConnections()
vendor.close()

async function measureFrames(): Promise<void> {
  await openNew()
  await ask('stream 1')
  await done()
  await page.evaluate(WATCH)
  await wait(3_000)
  await frames('idle')

  await page.evaluate(WATCH)
  await browser.startTracing(page, { categories: CATEGORIES })
  await ask(`stream 30`)
  await wait(30_500)
  await frames(`streaming ${TOKENS_PER_SECOND} tokens/s`)
  await longestTask('streaming')
  await done()

  await page.evaluate(WATCH)
  await ask('stream 20')
  const delays: number[] = []
  for (let key = 0; key < 60; key += 1) {
    const begun = performance.now()
    await page.keyboard.type('a')
    delays.push(performance.now() - begun)
    await wait(250)
  }
  delays.sort((a, b) => a - b)
  console.log(`typing while streaming: key p50 ${delays[30]?.toFixed(1)}, longest ${delays.at(-1)?.toFixed(1)} ms`)
  await box.fill('')
  await done()

  for (const kind of ['new', 'stored'] as const) {
    if (kind === 'new') await openNew()
    await page.evaluate(WATCH)
    await browser.startTracing(page, { categories: CATEGORIES })
    if (kind === 'new') {
      await ask('whole 200')
      await done()
    } else {
      await page.getByRole('tab', { name: 'Images' }).click()
      await wait(1_000)
      await page.evaluate(WATCH)
      await page.getByRole('tab', { name: 'Chat' }).click()
    }
    await wait(4_000)
    await frames(`200 KB answer, ${kind}`)
    await longestTask(`200 KB answer, ${kind}`)
  }
}

async function measureHeap(): Promise<void> {
  await openNew()
  const devtools = await page.context().newCDPSession(page)
  const begun = performance.now()
  while (performance.now() - begun < Number(minutes) * 60_000) {
    await ask('stream 30')
    await wait(500)
    await done()
    await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = (await devtools.send('Runtime.getHeapUsage')) as { usedSize: number } // as documented
    const nodes = await page.evaluate<number>(`document.querySelectorAll('*').length`)
    const { nodes: all } = (await devtools.send('Memory.getDOMCounters')) as { nodes: number } // as documented
    const passed = ((performance.now() - begun) / 60_000).toFixed(1)
    console.log(`heap after ${passed} minutes: ${(usedSize / 1024 / 1024).toFixed(1)} MB, ${nodes} elements, ${all} nodes in memory`)
  }
}
