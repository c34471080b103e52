import type { Part } from './part.ts'

const QUOTA = 500_000

/** Redemption codes: root creates one, a user redeems it and tries it again. */
export function createCodes(): Part {
  let last = 0
  return {
    name: 'redemption codes',
    about: 'a code is created and redeemed; the second attempt is refused',
    pauseMs: 3000,
    act: async ({ root, user }) => {
      last += 1
      const [key] = await root.send<string[]>('POST', '/api/redemption/', { name: `soak ${last}`, quota: QUOTA, count: 1 })
      const added = await user.send<number>('POST', '/api/user/topup', { key })
      if (added !== QUOTA) throw new Error(`a code of ${QUOTA} added ${added}`)
      const again = await user.send('POST', '/api/user/topup', { key }).then(
        () => 'accepted',
        () => 'refused',
      )
      if (again === 'accepted') throw new Error('a code was redeemed twice')
    },
  }
}
