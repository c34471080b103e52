import { screen } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { groups } from '@tollgate/contracts/resources/groups'
import { models } from '@tollgate/contracts/resources/models'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../../lib/session.ts'
import { aChannel } from '../../../testing/channel-factories.ts'
import { aStoredUser } from '../../../testing/factories.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'

const plane = planeForTests()

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(groups.list, ['default'])
  plane.answer(models.presets, {})
  plane.answer(channels.models, [])
})

describe('the type of a channel', () => {
  it('is shown with what operators must know of it', async () => {
    plane.answer(channels.get, aChannel({ id: 7, type: 55, models: 'sora-2' }))

    await open('/channel/edit/7')

    expect(await screen.findByText(/OpenAI 已于 2026 年 9 月 24 日停用 Videos API/)).toBeDefined()
  })
})
