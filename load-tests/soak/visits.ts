import { setTimeout as wait } from 'node:timers/promises'
import { signIn, type Account, type Person } from './console.ts'
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
  look(() => '/api/channel/?p=0&page_size=20'),
  look(() => '/api/option/'),
  look(() => '/api/ledger/report'),
  async (person) => {
    const { items } = await person.get<{ items: { id: number; created_at: number }[] }>(`/api/log/?p=1&page_size=10&type=2&${range()}`)
    const [row] = items
    if (row !== undefined) await person.get(`/api/log/${row.id}/explanation?created_at=${row.created_at}`)
  },
]

/** People who sign in, click through the console and sign out again, until the time is over. Answers how often they clicked. */
export async function visitConsole(origin: string, { root, users }: People, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  const visitors = users.slice(0, VISITORS).map((account): [Account, readonly Deed[]] => [account, OWN])
  const clicks = await Promise.all([...visitors, [root, ALL] as const].map(([account, deeds]) => visit(origin, account, deeds, until)))
  return clicks.reduce((sum, count) => sum + count, 0)
}

async function visit(origin: string, account: Account, deeds: readonly Deed[], until: number): Promise<number> {
  const person = await signIn(origin, account)
  let clicks = 0
  while (performance.now() < until) {
    await deeds[clicks % deeds.length]?.(person)
    clicks += 1
    await wait(CLICK_MS)
  }
  await person.leave()
  return clicks
}
