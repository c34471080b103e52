import { act, screen } from '@testing-library/react'
import { status } from '@tollgate/contracts/resources/status'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { afterEach, expect, it, vi } from 'vitest'
import { session } from '../../lib/session.ts'
import { aToken } from '../../testing/token-factories.ts'
import { aStatus, aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const NO_TOKEN = '当前没有可用的启用令牌，请确认是否有令牌处于启用状态！'

afterEach(() => vi.useRealTimers())

/** Lets time pass, and what is due then happen. */
const pass = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

it('says that no token is enabled, and leads to the tokens after 1.5 seconds', async () => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(status.get, aStatus({ chats: [{ Ours: 'https://chat.example/?key={key}' }] }))
  plane.answer(tokens.list, [aToken({ status: 2 })])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const opening = open('/chat/0')
  while (screen.queryAllByText(NO_TOKEN).length === 0) await pass(0)
  const view = await opening

  await pass(1499)
  expect(view.address()).toBe('/chat/0')
  await pass(1)
  while (view.address() !== '/token') await pass(0)
})
