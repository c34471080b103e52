import { screen } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { groups } from '@tollgate/contracts/resources/groups'
import { models } from '@tollgate/contracts/resources/models'
import { options } from '@tollgate/contracts/resources/options'
import { prices } from '@tollgate/contracts/resources/prices'
import { beforeEach, expect, it } from 'vitest'
import { session } from '../../../lib/session.ts'
import { aChannel } from '../../../testing/channel-factories.ts'
import { aStoredUser } from '../../../testing/factories.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'

const plane = planeForTests()
const FACTS = { maker: 'OpenAI', mode: 'chat' as const, lines: {}, coming: [], sources: ['litellm'], is_served: true }

beforeEach(() => {
  plane.answer(groups.list, ['default'])
  plane.answer(models.presets, { '1': ['gpt-6-sol'] })
  plane.answer(channels.models, [])
  const channel = aChannel({ id: 1, name: 'main', models: 'gpt-6-sol,mine' })
  plane.answer(channels.list, [channel])
  plane.answer(channels.get, channel)
  plane.answer(channels.unpricedModels, ['gpt-6-sol', 'mine'])
  plane.answer(options.list, [
    { key: 'ModelRatio', value: '{"other":1}' },
    { key: 'PriceCards', value: '{}' },
  ])
  plane.answer(options.update, undefined)
  plane.answer(prices.catalogue, {
    source: 'built-in',
    date: '2026-11-27',
    rows: [
      { ...FACTS, name: 'gpt-6-sol', entries: { ModelRatio: 2, CompletionRatio: 5, PriceCards: [{ above: 272_000, model_ratio: 4 }] } },
      { ...FACTS, name: 'elsewhere', entries: { ModelRatio: 9 } },
    ],
    suspect_prices: [],
    unknown: ['mine'],
  })
})

it('offers the catalogue’s prices of a channel’s models without one, every class of them, and stores them beside the others', async () => {
  session.start(aStoredUser({ role: 100 }))
  const { user } = await open('/channel/edit/1')

  await user.click(await screen.findByRole('button', { name: '采用价格目录中的 1 个价格' }))

  await screen.findByText('1 个模型已采用价格目录的价格')
  expect(
    plane
      .to(options.update)
      .map(({ body }) => body as { key: string; value: string })
      .map(({ key, value }) => [key, JSON.parse(value)]),
  ).toEqual([
    ['CompletionRatio', { 'gpt-6-sol': 5 }],
    ['PriceCards', { 'gpt-6-sol': [{ above: 272_000, model_ratio: 4 }] }],
    ['ModelRatio', { other: 1, 'gpt-6-sol': 2 }],
  ])
  expect(screen.getByRole('button', { name: '在这里设置价格' })).toBeTruthy()
})

it('says to an administrator that only root sets prices', async () => {
  session.start(aStoredUser({ role: 10 }))
  await open('/channel/edit/1')
  expect((await screen.findByRole('note')).textContent).toContain('gpt-6-sol')
  expect(screen.queryByRole('button', { name: /采用价格目录/ })).toBeNull()
})
