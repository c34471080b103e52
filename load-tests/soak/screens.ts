import { aToken } from './accounts.ts'
import type { ConsoleUser } from './console.ts'

/** The calls of each screen of the console. */
export type Screens = Readonly<Record<string, readonly Click[]>>
export type Click = (user: ConsoleUser) => Promise<unknown>

const DAY = 86_400
const now = (): number => Math.floor(Date.now() / 1000)
const last = (seconds: number): string => `start_timestamp=${now() - seconds}&end_timestamp=${now() + 60}`
const read =
  (path: string | (() => string)): Click =>
  (user) =>
    user.get(typeof path === 'string' ? path : path())
/** A CSV file of the last seconds. */
const download =
  (path: string, seconds: number): Click =>
  async (user) => {
    const text = await user.text('GET', `${path}?${last(seconds)}`)
    if (!text.includes('\n')) throw new Error(`${path} answered ${text.slice(0, 100)}`)
  }
const series = (path: string, unit: 'hour' | 'day', keys: readonly string[]): Click[] =>
  keys.map((by) => read(() => `${path}?${last(DAY)}&unit=${unit}&by=${by}&timezone=28800`))
/** Reads a list, then something of its first row. */
const readFirst =
  <T>(list: () => string, then: (row: T) => string): Click =>
  async (user) => {
    const { items } = await user.get<{ items: T[] }>(list())
    const [row] = items
    if (row !== undefined) await user.get(then(row))
  }

type LogRow = { readonly id: number; readonly created_at: number }
type Row = { readonly id: number }

export const USER_SCREENS: Screens = {
  home: ['/api/status', '/api/notice', '/api/about', '/api/home_page_content', '/api/pricing', '/api/user/groups'].map((path) =>
    read(path),
  ),
  dashboard: [
    read(() => `/api/data/self?${last(DAY)}&default_time=hour`),
    ...series('/api/data/self/series', 'hour', ['model', 'token', 'group']),
  ],
  tokens: [
    read('/api/token/?p=0&size=10'),
    read('/api/token/search?keyword=token'),
    read('/api/token/count'),
    async (user) => {
      await user.send('POST', '/api/token/', aToken('temporary'))
      const tokens = await user.get<{ id: number; name: string }[]>('/api/token/?p=0&size=10')
      for (const { id } of tokens.filter(({ name }) => name === 'temporary')) await user.send('DELETE', `/api/token/${id}`)
    },
  ],
  log: [
    read(() => `/api/log/self?p=1&page_size=10&${last(DAY)}`),
    read(() => `/api/log/self?p=3&page_size=20&type=2&model_name=short&${last(DAY)}`),
    read(() => `/api/log/self/stat?type=2&${last(DAY)}`),
    read(() => `/api/log/self/refusals?${last(DAY)}`),
    readFirst<LogRow>(
      () => `/api/log/self?p=1&page_size=10&type=2&${last(DAY)}`,
      ({ id, created_at }) => `/api/log/self/${id}/explanation?created_at=${created_at}`,
    ),
  ],
  'log export': [download('/api/log/self/export', 300)],
  tasks: [read('/api/mj/self?p=0'), read('/api/task/self?p=0')],
  wallet: [
    read('/api/user/topup/info'),
    read('/api/user/topup/orders?p=1&page_size=10'),
    read('/api/user/wallet/entries?p=1&page_size=10'),
    read('/api/user/wallet/statement'),
    read('/api/user/wallet/alerts'),
    download('/api/user/wallet/export', DAY),
  ],
  personal: [
    '/api/user/self',
    '/api/user/self/groups',
    '/api/user/models',
    '/api/user/aff',
    '/api/user/notifications',
    '/api/user/self/sessions',
    '/api/user/self/two-factor',
    '/api/audit/self?p=1&page_size=10',
  ].map((path) => read(path)),
}

export const ROOT_SCREENS: Screens = {
  'root: dashboard': [
    read(() => `/api/data/?${last(DAY)}&default_time=hour`),
    ...series('/api/data/series', 'hour', ['model', 'channel', 'group']),
    ...series('/api/data/series', 'day', ['user', 'token']),
    read('/api/setup/first-run'),
  ],
  'root: channels': [
    read('/api/channel/?p=0&page_size=20'),
    read('/api/channel/?p=0&page_size=20&tag_mode=true'),
    read('/api/channel/search?keyword=short'),
    read('/api/channel/health?ids=1,2,3'),
    read('/api/channel/attention'),
    read('/api/channel/1'),
    read('/api/channel/1/keys'),
    read('/api/channel/1/balances'),
    read('/api/channel/models'),
    read('/api/channel/models_enabled'),
    read('/api/group/'),
    (user) => user.send('POST', '/api/channel/forecast', { model: 'short', group: 'default' }),
  ],
  'root: users': [
    read('/api/user/?p=1&page_size=20'),
    read('/api/user/search?keyword=soak&group=&p=1&page_size=20'),
    ...['', '/usage', '/tokens', '/wallet/entries?p=1&page_size=10', '/wallet/statement'].map((rest) =>
      readFirst<Row>(
        () => '/api/user/?p=1&page_size=20',
        ({ id }) => `/api/user/${id}${rest}`,
      ),
    ),
  ],
  'root: codes and payments': [
    read('/api/redemption/?p=1&page_size=10'),
    read('/api/redemption/search?keyword=soak&p=1&page_size=10'),
    readFirst<{ trade_no: string }>(
      () => '/api/payment/?p=1&page_size=10',
      ({ trade_no }) => `/api/payment/statements?trade_no=${trade_no}`,
    ),
    download('/api/user/wallets/export', DAY),
  ],
  'root: log': [
    read(() => `/api/log/?p=1&page_size=20&${last(DAY)}`),
    read(() => `/api/log/?p=5&page_size=100&username=soak-3&${last(DAY)}`),
    read(() => `/api/log/stat?type=2&${last(DAY)}`),
    read(() => `/api/log/refusals?${last(DAY)}`),
    read('/api/log/clearings'),
    readFirst<LogRow>(
      () => `/api/log/?p=1&page_size=10&type=2&${last(DAY)}`,
      ({ id, created_at }) => `/api/log/${id}/explanation?created_at=${created_at}`,
    ),
  ],
  'root: log export': [download('/api/log/export', 30)],
  'root: tasks': [read('/api/mj/?p=0'), read('/api/task/?p=0')],
  'root: deliveries and audit': [read('/api/delivery/?p=1&page_size=10'), read('/api/audit/?p=1&page_size=20')],
  'root: health': [read('/api/health'), read('/api/ledger/report')],
  'root: settings': [
    read('/api/option/'),
    read('/api/option/notes'),
    read('/api/option/price_replay'),
    read('/api/option/price_change'),
    read('/api/pricing'),
  ],
}
