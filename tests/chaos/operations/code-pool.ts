import type { Session } from './session.ts'

export type Code = { readonly id: number; readonly key: string; readonly quota: number }

export type CodePool = { take(): Promise<Code | undefined> }

const BATCH = 20
type Listed = { readonly items: readonly (Code & { readonly name: string })[] }

/** Redemption codes, created by root in batches. A batch whose creation was not answered is not used. */
export function createCodePool(root: Session, serial: () => number): CodePool {
  const codes: Code[] = []
  let creating: Promise<void> | undefined
  const create = async (): Promise<void> => {
    const number = serial()
    const name = `chaos-${number}`
    const made = await root.call('post', '/api/redemption/', { name, quota: 1000 + (number % 100_000), count: BATCH })
    if (made?.success !== true) return
    const listed = await root.call('get', `/api/redemption/search?keyword=${name}&p=1&page_size=100`)
    if (listed?.success !== true) return
    const { items } = listed.data as Listed // the answer of the list, whose shape another test checks
    codes.push(...items.filter((code) => code.name === name))
  }
  return {
    take: async () => {
      if (codes.length === 0) {
        creating ??= create().finally(() => {
          creating = undefined
        })
        await creating
      }
      return codes.pop()
    },
  }
}
