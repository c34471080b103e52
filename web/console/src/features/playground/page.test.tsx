import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { playground } from '@tollgate/contracts/resources/playground'
import { self } from '@tollgate/contracts/resources/self'
import { status } from '@tollgate/contracts/resources/status'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { http, HttpResponse } from 'msw'
import { session } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const bodies: unknown[] = []

/** Answers with these events; without an end the stream stays open until the reader goes away. */
function stream(events: readonly string[], { isEnded = true } = {}): void {
  plane.server.use(
    http.post('*/pg/chat/completions', async ({ request }) => {
      bodies.push(await request.json())
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const event of events) controller.enqueue(new TextEncoder().encode(`data: ${event}\n\n`))
          if (isEnded) controller.close()
        },
      })
      return new HttpResponse(body, { headers: { 'content-type': 'text/event-stream', 'x-oneapi-request-id': 'req-7' } })
    }),
  )
}
const piece = (content: string): string => JSON.stringify({ choices: [{ delta: { content } }] })

beforeEach(() => {
  bodies.length = 0
  session.start(aStoredUser({ role: 1, group: 'vip' }))
  plane.answer(self.groups, { default: { ratio: 1, desc: '默认' }, vip: { ratio: 2, desc: 'VIP' } })
  plane.answer(self.models, ['gpt-4o', 'gpt-4o-mini'])
})

const ask = async (view: Awaited<ReturnType<typeof open>>, text: string): Promise<void> =>
  await view.user.type(await screen.findByLabelText('消息'), `${text}{Enter}`)

describe('a connection that breaks', () => {
  /** How many questions were sent, and how many of them have failed. */
  const seen = { asked: 0, failed: 0 }
  beforeEach(() => {
    Object.assign(seen, { asked: 0, failed: 0 })
    plane.server.use(http.post('*/pg/chat/completions', () => HttpResponse.error()))
    const { fetch } = globalThis
    vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
      if (given[0] !== playground.chat.path) return await fetch(...given)
      seen.asked += 1
      try {
        return await fetch(...given)
      } catch (error) {
        seen.failed += 1
        throw error
      }
    })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  /** Lets time pass, and what is due then happen. */
  const pass = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
  /** Waits for the network while the clock stands still, and for what follows. */
  const untilFailed = async (times: number): Promise<void> => {
    while (seen.failed < times) await pass(0)
    await pass(0)
  }
  const begin = async (): Promise<void> => {
    fireEvent.change(await screen.findByLabelText('消息'), { target: { value: 'Hello' } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    fireEvent.click(screen.getByRole('button', { name: '发送' }))
  }

  it('is an error at once by default', async () => {
    await open('/playground')
    expect((await screen.findByLabelText<HTMLInputElement>('断线重连')).checked).toBe(false)
    await begin()

    await untilFailed(1)
    expect(screen.getByText(/Network error/)).toBeTruthy()
    await pass(60_000)
    expect(seen.asked).toBe(1)
  })

  it('is tried again after 3 seconds, at most three times, where the reader wants that', async () => {
    const view = await open('/playground')
    await view.user.click(await screen.findByLabelText('断线重连'))
    await begin()

    for (const times of [1, 2, 3]) {
      await untilFailed(times)
      await pass(2999)
      expect([seen.asked, screen.queryByText(/Network error/)]).toEqual([times, null])
      await pass(1)
      expect(seen.asked).toBe(times + 1)
    }
    await untilFailed(4)
    expect(screen.getByText(/Network error/)).toBeTruthy()
    await pass(60_000)
    expect(seen.asked).toBe(4)
  })
})

describe('the playground', () => {
  it('sends the settings with the question and shows the streamed answer with what it took', async () => {
    const usage = JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } })
    stream([piece('Good'), piece(' day'), usage, '[DONE]'])
    const view = await open('/playground')

    expect(await screen.findByText('你好！有什么可以帮你？')).toBeTruthy()
    await ask(view, 'How are you?')

    expect(await screen.findByText('Good day')).toBeTruthy()
    expect(await screen.findByText(/输入 9 \/ 输出 2/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '看看花了多少' }).getAttribute('href')).toBe('/log?request_id=req-7')
    expect(bodies).toEqual([
      {
        messages: [
          { role: 'system', content: '你是一个乐于助人的助手，用清楚、简洁的语言回答问题。' },
          { role: 'user', content: 'How are you?' },
        ],
        stream: true,
        stream_options: { include_usage: true },
        model: 'gpt-4o-mini',
        group: '',
        max_tokens: 0,
        temperature: 0,
      },
    ])
  })

  it('has a temperature from 0.1 to 1, which is 0 until it is moved', async () => {
    stream([piece('Good'), '[DONE]'])
    const view = await open('/playground')
    const slider = await screen.findByRole<HTMLInputElement>('slider', { name: '温度' })
    expect([slider.min, slider.max, slider.step]).toEqual(['0.1', '1', '0.1'])
    expect(screen.getByText('0', { selector: 'output' })).toBeTruthy()

    fireEvent.change(slider, { target: { value: '0.7' } })
    await ask(view, 'Hello')

    await waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).toMatchObject({ temperature: 0.7 })
  })

  it('offers the reader’s own group first', async () => {
    await open('/playground')

    await waitFor(() =>
      expect([...screen.getByLabelText('分组').querySelectorAll('option')].map(({ value }) => value)).toEqual(['vip', 'default']),
    )
  })

  it('stops in the middle and keeps what has arrived', async () => {
    stream([piece('Half')], { isEnded: false })
    const view = await open('/playground')
    await ask(view, 'Go on')
    await screen.findByText('Half')

    await view.user.click(screen.getByRole('button', { name: '停止' }))

    expect(await screen.findByRole('button', { name: '发送' })).toBeTruthy()
    expect(screen.getByText('Half')).toBeTruthy()
  })

  it('shows the text of a refusal as the answer, and asks again', async () => {
    plane.fail(playground.chat, 403, { error: { message: '额度不足', code: 'insufficient_user_quota' } })
    const view = await open('/playground')
    await ask(view, 'Hi')

    expect((await screen.findByRole('alert')).textContent).toBe('额度不足')
    stream([piece('Now'), '[DONE]'])
    await view.user.click(screen.getByRole('button', { name: '重新回答' }))
    expect(await screen.findByText('Now')).toBeTruthy()
    expect(screen.queryByText('额度不足')).toBeNull()
  })

  it('asks an edited question again and sends nothing from before the cleared context', async () => {
    stream([piece('A'), '[DONE]'])
    const view = await open('/playground')
    await ask(view, 'first')
    await screen.findByText('A')
    await view.user.click(screen.getByRole('button', { name: '清除上下文' }))
    expect(screen.getByText('以上内容不再发送给模型')).toBeTruthy()
    stream([piece('B'), '[DONE]'])
    await ask(view, 'second')
    await screen.findByText('B')

    await view.user.click(screen.getAllByRole('button', { name: '修改并重新提问' })[1] ?? document.body)
    const box = screen.getByRole('textbox', { name: '修改并重新提问' })
    await view.user.clear(box)
    await view.user.type(box, 'other')
    await view.user.click(within(box.parentElement ?? document.body).getByRole('button', { name: '发送' }))

    await waitFor(() => expect(bodies).toHaveLength(3))
    expect(bodies[2]).toMatchObject({ messages: [{ role: 'system' }, { role: 'user', content: 'other' }] })
  })

  it('keeps the conversation in this browser for this user', async () => {
    stream([piece('Kept'), '[DONE]'])
    const view = await open('/playground')
    await ask(view, 'Hi')
    await screen.findByText('Kept')

    await waitFor(() => expect(JSON.stringify(storage.get('playground-chat'))).toContain('Kept'))
    expect(storage.get('playground-chat')?.['user_id']).toBe(1)
  })
})

describe('the chat page', () => {
  it('says when no chat is configured', async () => {
    await open('/chat')

    expect(await screen.findByText('请联系管理员配置聊天链接')).toBeTruthy()
  })

  it('says when what is stored is no list of chats', async () => {
    plane.fail(status.get, 502, {})
    localStorage.setItem('chats', '{broken')
    await open('/chat')

    expect(await screen.findByText('聊天数据解析失败')).toBeTruthy()
  })
})
