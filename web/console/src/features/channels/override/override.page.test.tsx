import { screen, within } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { groups } from '@tollgate/contracts/resources/groups'
import { models } from '@tollgate/contracts/resources/models'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../../lib/session.ts'
import { aChannel } from '../../../testing/channel-factories.ts'
import { aStoredUser } from '../../../testing/factories.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'
import { markChanges } from './override-view.ts'

const plane = planeForTests()

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(groups.list, ['default'])
  plane.answer(models.presets, {})
  plane.answer(channels.models, [])
})

describe('the tester of a parameter override', () => {
  it('sends what the form holds and shows the call before and after', async () => {
    const param_override = '{"operations":[{"mode":"set","path":"top_p","value":0.5}]}'
    plane.answer(channels.get, aChannel({ id: 7, models: 'gpt-x', param_override }))
    const url = 'https://api.openai.com/v1/chat/completions'
    plane.answer(channels.preview, {
      format: 'openai-chat',
      upstream_model: 'gpt-y',
      before: { url, headers: [{ name: 'accept', value: '*/*' }], body: '{\n  "n": 1\n}' },
      after: { url, headers: [{ name: 'accept', value: '*/*' }], body: '{\n  "n": 1,\n  "top_p": 0.5\n}' },
      warnings: [],
    })
    const { user } = await open('/channel/edit/7')
    await user.click(await screen.findByRole('button', { name: /高级/ }))
    await user.click(await screen.findByRole('button', { name: '试一试' }))
    const tester = within(await screen.findByRole('region', { name: '试用参数覆盖' }))

    await user.click(tester.getByRole('button', { name: '查看结果' }))

    const body = await tester.findByLabelText('请求体（− 覆盖前，+ 覆盖后）')
    expect(body.textContent).toBe('  {\n−   "n": 1\n+   "n": 1,\n+   "top_p": 0.5\n  }\n')
    expect(plane.to(channels.preview)[0]?.body).toMatchObject({
      type: 1,
      param_override,
      call: 'openai-chat',
      model: 'gpt-x',
      retry_index: 0,
    })
  })

  it('shows the error that the override answers with', async () => {
    plane.answer(channels.get, aChannel({ id: 7, models: 'gpt-x', param_override: '{"operations":[]}' }))
    plane.answer(channels.preview, {
      format: 'openai-chat',
      upstream_model: 'gpt-x',
      before: { url: 'https://api.openai.com/v1/chat/completions', headers: [], body: '{}' },
      error: { status: 422, message: 'No images.', code: 'no_images', type: 'invalid_request_error', skip_retry: true, operation: 2 },
      warnings: [],
    })
    const { user } = await open('/channel/edit/7')
    await user.click(await screen.findByRole('button', { name: /高级/ }))
    await user.click(await screen.findByRole('button', { name: '试一试' }))
    const tester = within(await screen.findByRole('region', { name: '试用参数覆盖' }))

    await user.click(tester.getByRole('button', { name: '查看结果' }))

    expect(await tester.findByText(/第 2 个操作直接返回错误 422（no_images）：“No images\.”。 不再尝试其他渠道/)).toBeDefined()
  })

  it('marks a changed line as removed and added, and keeps the others once', () => {
    const signs = (before: string, after: string) =>
      markChanges(before, after).lines.map(({ text, change }) => `${change?.[0] ?? ' '}${text}`)

    expect(signs('a\nb\nc', 'a\nx\nc')).toEqual([' a', 'rb', 'ax', ' c'])
    expect(signs('a', 'b\na\nc')).toEqual(['ab', ' a', 'ac'])
    expect(signs('a\nb', 'a\nb')).toEqual([' a', ' b'])
  })
})
