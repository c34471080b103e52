import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createToken, must, setUp, signIn, type Api } from './support/api.ts'
import { startStack, type Stack } from './support/stack.ts'

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
})
