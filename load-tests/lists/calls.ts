/** The calls that the list bench sends. `who` selects the session. */
export type Who = 'admin' | 'user' | 'reseller'
export type Call = { readonly group: string; readonly name: string; readonly who: Who; readonly path: string }

const DAY = 86_400
type Filter = readonly [name: string, query: string]

/** `user-1` has a tenth of all rows, channel 1 a seventeenth, user-900 and channel 4900 almost none; one row in 100 000 has the model `rare`. */
function filtersAt(now: number): { own: Filter[]; all: Filter[] } {
  const week = `start_timestamp=${now - 7 * DAY - 1234}&end_timestamp=${now - 99}`
  const own: Filter[] = [
    ['nothing', ''],
    ['type 2', 'type=2'],
    ['type 5', 'type=5'],
    ['token name', 'token_name=token-1'],
    ['model', 'model_name=model-3'],
    ['rare model', 'model_name=rare'],
    ['pattern of many', 'model_name=model%25'],
    ['pattern of a rare one', 'model_name=%25are'],
    ['group', 'group=vip'],
    ['a week, cut within hours', week],
    ['the last hour', `start_timestamp=${now - 3600}&end_timestamp=${now + 3600}`],
    ['all filters', `type=2&token_name=token-1&model_name=model%25&group=default&${week}`],
  ]
  const all: Filter[] = [
    ...own,
    ['busy user', 'username=user-1'],
    ['quiet user', 'username=user-900'],
    ['busy channel', 'channel=1'],
    ['quiet channel', 'channel=4900'],
    ['busy channel and model', 'channel=1&model_name=model-3'],
    ['busy channel and user', 'channel=1&username=user-1'],
    ['busy channel and token name', 'channel=1&token_name=token-1'],
  ]
  return { own, all }
}

const PAGES = [
  ['first page', 'p=1&page_size=10'],
  ['page 10 000', 'p=10000&page_size=10'],
  ['first page of 100', 'p=1&page_size=100'],
  ['page 10 000 of 100', 'p=10000&page_size=100'],
] as const

export function callsAt(now: number): Call[] {
  const { own, all } = filtersAt(now)
  const lists = (who: Who, path: string, filters: readonly Filter[]): Call[] =>
    PAGES.flatMap(([page, query]) =>
      filters.map(([name, filter]) => ({ group: `log list, ${who}, ${page}`, name, who, path: `${path}?${query}&${filter}` })),
    )
  const stats = (who: Who, path: string, filters: readonly Filter[]): Call[] =>
    filters.map(([name, filter]) => ({ group: `log stat, ${who}`, name, who, path: `${path}?${filter}` }))
  return [
    ...lists('admin', '/api/log/', all),
    ...lists('user', '/api/log/self', own),
    ...stats('admin', '/api/log/stat', all),
    ...stats('user', '/api/log/self/stat', own),
    ...dashboardAt(now),
    ...seriesAt(now),
    ...money,
    ...channels,
    ...tokens,
    ...users,
    ...tasksAt(now),
  ]
}

const dashboardAt = (now: number): Call[] => {
  const days = (count: number): string => `start_timestamp=${now - count * DAY}&end_timestamp=${now}`
  const group = 'dashboard'
  return [
    { group, name: 'a day, all users', who: 'admin', path: `/api/data/?${days(1)}` },
    { group, name: '30 days, all users', who: 'admin', path: `/api/data/?${days(30)}` },
    { group, name: '90 days, all users', who: 'admin', path: `/api/data/?${days(90)}` },
    { group, name: '30 days of the busy user', who: 'admin', path: `/api/data/?${days(30)}&username=user-1` },
    { group, name: '30 days of a quiet user', who: 'admin', path: `/api/data/?${days(30)}&username=user-900` },
    { group, name: '30 own days', who: 'user', path: `/api/data/self?${days(30)}` },
  ]
}

const SPLITS = ['model', 'user', 'token', 'channel', 'group'] as const
const OWN_SPLITS = ['model', 'token', 'group'] as const

const seriesAt = (now: number): Call[] => {
  const days = (count: number): string => `start_timestamp=${now - count * DAY}&end_timestamp=${now}&timezone=28800`
  const group = 'dashboard, over time'
  const all = '/api/data/series'
  return [
    ...SPLITS.flatMap((by): Call[] => [
      { group, name: `7 days by hours, by ${by}`, who: 'admin', path: `${all}?${days(7)}&unit=hour&by=${by}` },
      { group, name: `30 days by hours, by ${by}`, who: 'admin', path: `${all}?${days(30)}&unit=hour&by=${by}` },
      { group, name: `90 days, by ${by}`, who: 'admin', path: `${all}?${days(90)}&unit=day&by=${by}` },
    ]),
    { group, name: '90 days of the busy user', who: 'admin', path: `${all}?${days(90)}&unit=day&by=model&username=user-1` },
    ...OWN_SPLITS.flatMap((by): Call[] => [
      { group, name: `7 own days by hours, by ${by}`, who: 'user', path: `/api/data/self/series?${days(7)}&unit=hour&by=${by}` },
      { group, name: `90 own days, by ${by}`, who: 'user', path: `/api/data/self/series?${days(90)}&unit=day&by=${by}` },
    ]),
  ]
}

/** 100 000 payment orders, codes and wallet entries; `user-1` has a tenth of the entries. */
const money: readonly Call[] = (
  [
    ['payment orders', 'first page', 'admin', '/api/payment/?p=1&page_size=10'],
    ['payment orders', 'page 900 of 100', 'admin', '/api/payment/?p=900&page_size=100'],
    ['payment orders', 'by state', 'admin', '/api/payment/?p=1&page_size=100&status=expired'],
    ['payment orders', 'of a user', 'admin', '/api/payment/?p=1&page_size=100&keyword=user-1'],
    ['payment orders', 'by number', 'admin', '/api/payment/?p=1&page_size=10&keyword=BENCH99'],
    ['payment orders', 'own', 'user', '/api/user/topup/orders?p=1&page_size=10'],
    ['codes', 'first page', 'admin', '/api/redemption/?p=1&page_size=10'],
    ['codes', 'page 900 of 100', 'admin', '/api/redemption/?p=900&page_size=100'],
    ['codes', 'search by name', 'admin', '/api/redemption/search?keyword=batch-77&p=1&page_size=100'],
    ['wallet', 'own entries', 'user', '/api/user/wallet/entries?p=1&page_size=100'],
    ['wallet', 'page 90 of own entries', 'user', '/api/user/wallet/entries?p=90&page_size=100'],
    ['wallet', 'statement of this month', 'user', '/api/user/wallet/statement'],
    ['wallet', 'entries of a user', 'admin', '/api/user/900/wallet/entries?p=1&page_size=100'],
  ] as const
).map(([group, name, who, path]) => ({ group, name, who, path }))

const channels: readonly Call[] = (
  [
    ['first page', '?p=0&page_size=10'],
    ['page of 100', '?p=0&page_size=100'],
    ['last page of 100', '?p=49&page_size=100'],
    ['page of 100, by id', '?p=10&page_size=100&id_sort=true'],
    ['page of 10 tags', '?p=0&page_size=10&tag_mode=true'],
    ['search by name', 'search?keyword=Channel%2049'],
    ['search without a match', 'search?keyword=nowhere'],
    ['search by model', 'search?keyword=&model=model-299'],
    ['search by group', 'search?keyword=Channel%20499&group=vip'],
    ['search by model, tags', 'search?keyword=&model=model-299&tag_mode=true'],
  ] as const
).map(([name, rest]) => ({ group: 'channel list', name, who: 'admin', path: `/api/channel/${rest}` }))

const tokens: readonly Call[] = (
  [
    ['first page', '?p=0&size=10'],
    ['page of 100', '?p=0&size=100'],
    ['page 10 000', '?p=9999&size=10'],
    ['last page of 100', '?p=999&size=100'],
    ['search by part of a name, many matches', 'search?keyword=customer'],
    ['search by part of a name, few matches', 'search?keyword=er%20aa'],
    ['search without a match', 'search?keyword=nowhere'],
    ['search by an unknown key', `search?keyword=&token=sk-${'x'.repeat(48)}`],
    ['search by the head of a key', 'search?keyword=&token=aaaa'],
  ] as const
).map(([name, rest]) => ({ group: 'token list', name, who: 'reseller', path: `/api/token/${rest}` }))

const users: readonly Call[] = (
  [
    ['first page', '?p=1&page_size=10'],
    ['page 5 000 of 100', '?p=5000&page_size=100'],
    ['search by id', 'search?keyword=250000&p=1&page_size=10'],
    ['search by part of a name, many matches', 'search?keyword=customer&p=1&page_size=10'],
    ['search by part of a name, few matches', 'search?keyword=mer-4999&p=1&page_size=10'],
    ['search by e-mail', 'search?keyword=customer-499998%40example.com&p=1&page_size=10'],
    ['search without a match', 'search?keyword=nowhere&p=1&page_size=10'],
    ['search by group', 'search?keyword=&group=group-1&p=1&page_size=100'],
    ['search by name and group, without a match', 'search?keyword=nowhere&group=group-1&p=1&page_size=10'],
  ] as const
).map(([name, rest]) => ({ group: 'user list', name, who: 'admin', path: `/api/user/${rest}` }))

/** A task a minute, half of them drawings; `user-1` and each of forty channels have an equal share. The drawing log counts in milliseconds. */
const tasksAt = (now: number): Call[] => {
  const week = (unit: number): string => `start_timestamp=${(now - 7 * DAY) * unit}&end_timestamp=${now * unit}`
  const of = (group: string, path: string, id: string, unit: number): Call[] =>
    (
      [
        ['first page', 'admin', '?p=0'],
        ['page 10 000', 'admin', '?p=9999'],
        ['a week', 'admin', `?p=0&${week(unit)}`],
        ['of a channel', 'admin', '?p=0&channel_id=7'],
        ['by its id', 'admin', `?p=0&${id}`],
        ['own', 'user', 'self?p=0'],
        ['page 500 of own', 'user', 'self?p=499'],
      ] as const
    ).map(([name, who, rest]) => ({ group, name, who, path: `${path}${rest}` }))
  return [
    ...of('drawing log', '/api/mj/', 'mj_id=task_500000', 1000),
    ...of('task log', '/api/task/', 'task_id=task_500001', 1),
    { group: 'task log', name: 'by status, without a match', who: 'admin', path: '/api/task/?p=0&status=FAILURE' },
  ]
}
