import { screen, waitFor, within } from '@testing-library/react'
import { logs } from '@tollgate/contracts/resources/logs'
import { self } from '@tollgate/contracts/resources/self'
import { status } from '@tollgate/contracts/resources/status'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aLog } from '../../testing/log-factories.ts'
import { aToken } from '../../testing/token-factories.ts'
import { aStatus, aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const made = aToken({ id: 9, name: 'new app' })
const pageOf = (items: ReturnType<typeof aLog>[]) => ({ items, total: items.length, page: 1, page_size: 10, total_is_capped: false })

const plane = planeForTests()
beforeEach(() => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(status.get, aStatus({ server_address: 'https://gw.example' }))
  plane.answer(self.groups, { default: { ratio: 1, desc: '默认分组' } })
  plane.answer(self.models, ['text-embedding-3-small', 'gpt-4o'])
  plane.answer(tokens.list, [made])
  plane.answer(tokens.count, { total: 1 })
  plane.answer(tokens.create, undefined)
  plane.answer(logs.listOwn, pageOf([]))
})

describe('a token that was just created', () => {
  it('shows its key and how to use it, and leads to the explanation of its first request', async () => {
    const view = await open('/token?edit=new')
    await view.user.type(await screen.findByLabelText(/^名称/), 'new app')
    await view.user.click(screen.getByRole('button', { name: '创建' }))

    const dialog = await screen.findByRole('dialog', { name: '已创建 1 个令牌' })
    expect(within(dialog).getByLabelText('密钥').textContent).toBe(`sk-${made.key}`)
    const code = await within(dialog).findByLabelText('curl', { selector: 'pre' })
    for (const part of ['https://gw.example/v1/chat/completions', `Bearer sk-${made.key}`, '"model":"gpt-4o"'])
      expect(code.textContent).toContain(part)
    plane.answer(logs.listOwn, pageOf([aLog({ id: 77, token_id: 9, created_at: 1_700_000_123, model_name: 'gpt-4o' })]))
    const link = await within(dialog).findByRole('link', { name: '看看花了多少' }, { timeout: 4_000 })
    expect(link.getAttribute('href')).toBe('/log?open=77&at=1700000123')
    await view.user.click(within(dialog).getByRole('button', { name: '完成' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
