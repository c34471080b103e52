import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import postgres from 'postgres'

type StoredKey = { readonly key_hash: string; readonly key_sealed: string; readonly key_head: string; readonly key_tail: string }

type TokensPlan = {
  /** Owner of every fifth token; the other tokens are spread over the users 1 … `others`. */
  readonly user_id: number
  readonly others: number
  readonly count: number
  readonly createKey: () => StoredKey
}

const SHARE = 5

/** Inserts tokens without quota, by COPY. */
export async function seedTokens(url: string, { user_id, others, count, createKey }: TokensPlan): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const sink = await sql`copy tokens (user_id, name, key_hash, key_sealed, key_head, key_tail, created_time) from stdin`.writable()
    const lines = function* () {
      for (let row = 0; row < count; row += 1) {
        const { key_hash, key_sealed, key_head, key_tail } = createKey()
        const owner = row % SHARE === 0 ? user_id : 1 + (row % others)
        yield `${[owner, `Customer ${row.toString(36)}`, key_hash, key_sealed, key_head, key_tail, 1].join('\t')}\n`
      }
    }
    await pipeline(Readable.from(lines()), sink)
    await sql`analyze tokens`
  } finally {
    await sql.end()
  }
}

const MODELS_PER_CHANNEL = 60
const TAGS = 200
const GROUPS = 'default,vip'

/** Inserts channels with sixty models each, every fourth without a tag. */
export async function seedChannels(url: string, count: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql`
      insert into channels (id, type, name, key_sealed, key_hash, base_url, models, "group", priority, tag, created_time)
      select n, 1, 'Channel ' || n, '', 'hash-' || n, 'https://vendor-' || n % 50 || '.example.com',
        (select string_agg('model-' || (n + m) % 300, ',') from generate_series(1, ${MODELS_PER_CHANNEL}::int) m), ${GROUPS}, n % 10,
        case when n % 4 = 0 then '' else 'tag-' || n % ${TAGS}::int end, 1
      from generate_series(1, ${count}::int) n`
    await sql`select setval(pg_get_serial_sequence('channels', 'id'), ${count}::bigint)`
    await sql`analyze channels`
  } finally {
    await sql.end()
  }
}

const USER_GROUPS = 20

/** Inserts users with empty wallets, every second one with an e-mail address; one in twenty has the group `group-1`. */
export async function seedUsers(url: string, count: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql`
      insert into users (shard, username, display_name, email, "group", created_at)
      select n % 64, 'customer-' || n, 'Customer ' || n, case when n % 2 = 0 then 'customer-' || n || '@example.com' else '' end,
        case when n % ${USER_GROUPS}::int = 1 then 'group-1' else 'default' end, n
      from generate_series(1, ${count}::int) n`
    await sql`analyze users`
  } finally {
    await sql.end()
  }
}

/** Inserts tasks of the users 1 … 60 and channels 1 … 40, every second one a drawing, a minute apart before `until` (milliseconds). */
export async function seedTasks(url: string, { count, until }: { readonly count: number; readonly until: number }): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql`
      insert into tasks (task_id, family, platform, user_id, channel_id, request_id, state, status, submit_time, deadline)
      select 'task_' || n, case when n % 2 = 0 then 'midjourney' else 'suno' end, 'demo', 1 + n % 60, 1 + n % 40, 'request_' || n, 'success',
        'SUCCESS', ${until}::bigint - n::bigint * 60000, 0
      from generate_series(1, ${count}::int) n`
    await sql`analyze tasks`
  } finally {
    await sql.end()
  }
}

type MoneyPlan = {
  readonly count: number
  readonly users: number
  readonly createCode: () => { readonly key_hash: string; readonly key_sealed: string }
}

/** Inserts paid and expired orders, unused codes, and wallet entries of which user 1 has every tenth; balances agree with the entries. */
export async function seedMoney(url: string, { count, users, createCode }: MoneyPlan): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  const now = Math.floor(Date.now() / 1000)
  try {
    const sink = await sql`copy redemptions (user_id, key_hash, key_sealed, name, created_time) from stdin`.writable()
    const lines = function* () {
      for (let row = 0; row < count; row += 1) {
        const { key_hash, key_sealed } = createCode()
        yield `${[1, key_hash, key_sealed, `batch-${row % 100}`, now - row].join('\t')}\n`
      }
    }
    await pipeline(Readable.from(lines()), sink)
    await sql`
      insert into payment_orders (trade_no, user_id, provider, method, amount, quota, currency, places, money, status, created_at, check_at)
      select 'BENCH' || n, 1 + n % ${users}::int, 'epay', 'alipay', 10, 5000000, 'cny', 2, 7300,
        case when n % 50 = 0 then 'expired' else 'paid' end, ${now}::bigint - n * 60, 0 from generate_series(1, ${count}::int) n`
    await sql`
      insert into wallet_entries (user_id, kind, amount, reference, note, created_at)
      select case when n % 10 = 0 then 1 else 1 + n % ${users}::int end, 'top-up', 1, 'bench:' || n, '73.00 CNY', ${now}::bigint - n * 60
      from generate_series(1, ${count}::int) n`
    await sql`
      update users u set credited = credited + e.amount from (
        select user_id, count(*) as amount from wallet_entries where reference like 'bench:%' group by 1) e where u.id = e.user_id`
    for (const table of ['redemptions', 'payment_orders', 'wallet_entries', 'users']) await sql`analyze ${sql(table)}`
  } finally {
    await sql.end()
  }
}
