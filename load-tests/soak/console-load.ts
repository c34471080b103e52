import { setTimeout as wait } from 'node:timers/promises'
import { ConsoleError, signIn, type Account, type ConsoleUser } from './console.ts'
import { aToken, type SoakAccounts } from './accounts.ts'

const CLICK_MS = 900
/** Concurrent console users, in addition to root. */
const USERS = 5

const now = (): number => Math.floor(Date.now() / 1000)
const range = (): string => `start_timestamp=${now() - 86_400}&end_timestamp=${now() + 3600}`

type ConsoleAction = (user: ConsoleUser) => Promise<unknown>
const read =
  (path: () => string): ConsoleAction =>
  (user) =>
    user.get(path())

const USER_ACTIONS: readonly ConsoleAction[] = [
  read(() => '/api/status'),
  read(() => '/api/user/self'),
  read(() => '/api/token/?p=0&size=10'),
  read(() => `/api/log/self?p=1&page_size=10&${range()}`),
  read(() => `/api/log/self?p=3&page_size=20&type=2&model_name=short&${range()}`),
  read(() => `/api/log/self/stat?type=2&${range()}`),
  read(() => `/api/data/self?${range()}&default_time=hour`),
  read(() => '/api/user/models'),
  async (user) => {
    await user.send('POST', '/api/token/', aToken('temporary'))
    const tokens = await user.get<{ id: number; name: string }[]>('/api/token/?p=0&size=10')
    for (const { id } of tokens.filter(({ name }) => name === 'temporary')) await user.send('DELETE', `/api/token/${id}`)
  },
]

const ROOT_ACTIONS: readonly ConsoleAction[] = [
  read(() => `/api/log/?p=1&page_size=20&${range()}`),
  read(() => `/api/log/?p=5&page_size=100&username=soak-3&${range()}`),
  read(() => `/api/log/stat?type=2&${range()}`),
  read(() => `/api/data/?${range()}&default_time=hour`),
  read(() => '/api/channel/?p=0&page_size=20'),
  read(() => '/api/option/'),
  read(() => '/api/ledger/report'),
  async (user) => {
    const { items } = await user.get<{ items: { id: number; created_at: number }[] }>(`/api/log/?p=1&page_size=10&type=2&${range()}`)
    const [row] = items
    if (row !== undefined) await user.get(`/api/log/${row.id}/explanation?created_at=${row.created_at}`)
  },
]

export type ConsoleLoad = {
  clicks: number
  /** Calls answered with a 5xx because a store was slow. */
  late: number
  readonly problems: string[]
}

/** Runs console users that sign in, request pages and sign out after `seconds`. */
export async function loadConsole(origin: string, { root, users }: SoakAccounts, seconds: number): Promise<ConsoleLoad> {
  const result: ConsoleLoad = { clicks: 0, late: 0, problems: [] }
  const until = performance.now() + seconds * 1000
  const sessions = users.slice(0, USERS).map((account): [Account, readonly ConsoleAction[]] => [account, USER_ACTIONS])
  const runSession = async ([account, actions]: [Account, readonly ConsoleAction[]]): Promise<void> => {
    const user = await attempt(result, () => signIn(origin, account))
    if (user === undefined) return
    for (let click = 0; performance.now() < until; click += 1) {
      await attempt(result, async () => actions[click % actions.length]?.(user))
      await wait(CLICK_MS)
    }
    await attempt(result, () => user.signOut())
  }
  await Promise.all([...sessions, [root, ROOT_ACTIONS] satisfies [Account, readonly ConsoleAction[]]].map(runSession))
  return result
}

async function attempt<T>(result: ConsoleLoad, action: () => Promise<T>): Promise<T | undefined> {
  result.clicks += 1
  try {
    return await action()
  } catch (error) {
    if (error instanceof ConsoleError && error.isOutage) result.late += 1
    else result.problems.push(String(error))
    return undefined
  }
}
