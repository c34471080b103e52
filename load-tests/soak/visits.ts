import { setTimeout as wait } from 'node:timers/promises'
import { Refused, signIn, type Account, type Person } from './console.ts'
import { aToken, type People } from './people.ts'

const CLICK_MS = 900
/** How many sit at the console at once, beside root. */
const VISITORS = 5

const now = (): number => Math.floor(Date.now() / 1000)
const range = (): string => `start_timestamp=${now() - 86_400}&end_timestamp=${now() + 3600}`

type Deed = (person: Person) => Promise<unknown>
const look =
  (path: () => string): Deed =>
  (person) =>
    person.get(path())

const OWN: readonly Deed[] = [
  look(() => '/api/status'),
  look(() => '/api/user/self'),
  look(() => '/api/token/?p=0&size=10'),
  look(() => `/api/log/self?p=1&page_size=10&${range()}`),
  look(() => `/api/log/self?p=3&page_size=20&type=2&model_name=short&${range()}`),
  look(() => `/api/log/self/stat?type=2&${range()}`),
  look(() => `/api/data/self?${range()}&default_time=hour`),
  look(() => '/api/user/models'),
  async (person) => {
    await person.send('POST', '/api/token/', aToken('for a while'))
    const tokens = await person.get<{ id: number; name: string }[]>('/api/token/?p=0&size=10')
    for (const { id } of tokens.filter(({ name }) => name === 'for a while')) await person.send('DELETE', `/api/token/${id}`)
  },
]

const ALL: readonly Deed[] = [
  look(() => `/api/log/?p=1&page_size=20&${range()}`),
  look(() => `/api/log/?p=5&page_size=100&username=soak-3&${range()}`),
  look(() => `/api/log/stat?type=2&${range()}`),
  look(() => `/api/data/?${range()}&default_time=hour`),
  look(() => '/api/channel/?p=0&page_size=20'),
  look(() => '/api/option/'),
  look(() => '/api/ledger/report'),
  async (person) => {
    const { items } = await person.get<{ items: { id: number; created_at: number }[] }>(`/api/log/?p=1&page_size=10&type=2&${range()}`)
    const [row] = items
    if (row !== undefined) await person.get(`/api/log/${row.id}/explanation?created_at=${row.created_at}`)
  },
]

export type Visits = {
  clicks: number
  /** Calls that the console could not answer because a store was late. */
  late: number
  readonly problems: string[]
}

/** People who sign in, click through the console and sign out again, until the time is over. */
export async function visitConsole(origin: string, { root, users }: People, seconds: number): Promise<Visits> {
  const visits: Visits = { clicks: 0, late: 0, problems: [] }
  const until = performance.now() + seconds * 1000
  const visitors = users.slice(0, VISITORS).map((account): [Account, readonly Deed[]] => [account, OWN])
  const visit = async ([account, deeds]: [Account, readonly Deed[]]): Promise<void> => {
    const person = await attempt(visits, () => signIn(origin, account))
    if (person === undefined) return
    for (let click = 0; performance.now() < until; click += 1) {
      await attempt(visits, async () => deeds[click % deeds.length]?.(person))
      await wait(CLICK_MS)
    }
    await attempt(visits, () => person.leave())
  }
  await Promise.all([...visitors, [root, ALL] satisfies [Account, readonly Deed[]]].map(visit))
  return visits
}

async function attempt<T>(visits: Visits, deed: () => Promise<T>): Promise<T | undefined> {
  visits.clicks += 1
  try {
    return await deed()
  } catch (error) {
    if (error instanceof Refused && error.isOutage) visits.late += 1
    else visits.problems.push(String(error))
    return undefined
  }
}
