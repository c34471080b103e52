import { DatabaseSync } from 'node:sqlite'

/** Databases of other gateways, in the three generations that differ, written from what their columns mean. */
export const GENERATIONS = ['one-api-0.6', 'new-api-2025', 'new-api-2026'] as const
export type Generation = (typeof GENERATIONS)[number]

type Kind = 'id' | 'int' | 'text' | 'long' | 'flag' | 'json' | 'real' | 'time'
type Columns = Readonly<Record<string, Kind>>
type Row = Readonly<Record<string, string | number | boolean | null | Uint8Array>>
export type Tables = Readonly<Record<string, { readonly columns: Columns; readonly rows: readonly Row[] }>>

/** The password of every account. */
export const OLD_PASSWORD = 'old-password-1'
const BCRYPT = '$2a$12$Vd/QapkQ.tc6eeXkNTd3ge.o/.nGTT3Ie6VXqLnmulmitI/xRlvtK'
/** Clients send it with `sk-`. */
export const oldKey = (n: number): string => `Ab${String(n).padStart(6, '0')}${'xYz9'.repeat(10)}`
/** Times of the rows, in unix seconds. */
export const OLD_NOW = 1_780_000_000

const NEVER = -1
const old = { created: OLD_NOW - 86_400 * 30, hour: OLD_NOW - (OLD_NOW % 3600) }

/** Columns that a generation has, by the first that has them. */
function columnsOf(generation: Generation): Readonly<Record<string, Columns>> {
  const isOne = generation === 'one-api-0.6'
  const is2026 = generation === 'new-api-2026'
  const users: Columns = {
    id: 'id',
    username: 'text',
    password: 'text',
    display_name: 'text',
    role: 'int',
    status: 'int',
    email: 'text',
    github_id: 'text',
    wechat_id: 'text',
    oidc_id: 'text',
    access_token: 'text',
    quota: 'int',
    used_quota: 'int',
    request_count: 'int',
    group: 'text',
    aff_code: 'text',
    inviter_id: 'int',
    ...(isOne
      ? { lark_id: 'text' }
      : {
          telegram_id: 'text',
          linux_do_id: 'text',
          aff_count: 'int',
          aff_quota: 'int',
          aff_history: 'int',
          setting: 'long',
          deleted_at: 'time',
        }),
    ...(is2026 ? { discord_id: 'text', remark: 'text', stripe_customer: 'text' } : {}),
  }
  const tokens: Columns = {
    id: 'id',
    user_id: 'int',
    key: 'text',
    status: 'int',
    name: 'text',
    created_time: 'int',
    accessed_time: 'int',
    expired_time: 'int',
    remain_quota: 'int',
    unlimited_quota: 'flag',
    used_quota: 'int',
    ...(isOne
      ? { models: 'long', subnet: 'text' }
      : { model_limits_enabled: 'flag', model_limits: 'text', allow_ips: 'long', group: 'text', deleted_at: 'time' }),
    ...(is2026 ? { cross_group_retry: 'flag' } : {}),
  }
  const channels: Columns = {
    id: 'id',
    type: 'int',
    key: 'long',
    status: 'int',
    name: 'text',
    weight: 'int',
    created_time: 'int',
    test_time: 'int',
    response_time: 'int',
    base_url: 'text',
    other: 'long',
    balance: 'real',
    balance_updated_time: 'int',
    models: 'long',
    group: 'text',
    used_quota: 'int',
    model_mapping: 'long',
    priority: 'int',
    ...(isOne
      ? { config: 'long', system_prompt: 'long' }
      : {
          open_ai_organization: 'text',
          test_model: 'text',
          status_code_mapping: 'text',
          auto_ban: 'int',
          other_info: 'long',
          tag: 'text',
          setting: 'long',
          param_override: 'long',
        }),
    ...(is2026 ? { header_override: 'long', remark: 'text', channel_info: 'json', settings: 'long' } : {}),
  }
  const logs: Columns = {
    id: 'id',
    user_id: 'int',
    created_at: 'int',
    type: 'int',
    content: 'long',
    username: 'text',
    token_name: 'text',
    model_name: 'text',
    quota: 'int',
    prompt_tokens: 'int',
    completion_tokens: 'int',
    is_stream: 'flag',
    channel_id: 'int',
    ...(isOne
      ? { request_id: 'text', elapsed_time: 'int', system_prompt_reset: 'flag' }
      : { use_time: 'int', channel_name: 'text', token_id: 'int', group: 'text', other: 'long' }),
    ...(is2026 ? { ip: 'text', request_id: 'text' } : {}),
  }
  const redemptions: Columns = {
    id: 'id',
    user_id: 'int',
    key: 'text',
    status: 'int',
    name: 'text',
    quota: 'int',
    created_time: 'int',
    redeemed_time: 'int',
    ...(isOne ? {} : { used_user_id: 'int', deleted_at: 'time' }),
    ...(is2026 ? { expired_time: 'int' } : {}),
  }
  const common = {
    users,
    tokens,
    channels,
    logs,
    redemptions,
    options: { key: 'text', value: 'long' },
    abilities: { group: 'text', model: 'text', channel_id: 'int' },
  } as const
  if (isOne) return common
  const later: Readonly<Record<string, Columns>> = {
    top_ups: {
      id: 'id',
      user_id: 'int',
      amount: 'int',
      money: 'real',
      trade_no: 'text',
      create_time: 'int',
      status: 'text',
      ...(is2026 ? { payment_method: 'text', complete_time: 'int' } : {}),
    },
    midjourneys: {
      id: 'id',
      code: 'int',
      user_id: 'int',
      action: 'text',
      mj_id: 'text',
      prompt: 'long',
      prompt_en: 'long',
      description: 'long',
      state: 'text',
      submit_time: 'int',
      start_time: 'int',
      finish_time: 'int',
      image_url: 'long',
      status: 'text',
      progress: 'text',
      fail_reason: 'long',
      channel_id: 'int',
      quota: 'int',
      buttons: 'long',
      properties: 'long',
    },
    tasks: {
      id: 'id',
      created_at: 'int',
      updated_at: 'int',
      task_id: 'text',
      platform: 'text',
      user_id: 'int',
      channel_id: 'int',
      quota: 'int',
      action: 'text',
      status: 'text',
      fail_reason: 'long',
      submit_time: 'int',
      start_time: 'int',
      finish_time: 'int',
      progress: 'text',
      properties: 'json',
      data: 'json',
    },
    quota_data: {
      id: 'id',
      user_id: 'int',
      username: 'text',
      model_name: 'text',
      created_at: 'int',
      token_used: 'int',
      count: 'int',
      quota: 'int',
    },
  }
  if (!is2026) return { ...common, ...later }
  return {
    ...common,
    ...later,
    two_fas: { id: 'id', user_id: 'int', secret: 'text', is_enabled: 'flag', deleted_at: 'time' },
    user_subscriptions: {
      id: 'id',
      user_id: 'int',
      plan_id: 'int',
      amount_total: 'int',
      amount_used: 'int',
      start_time: 'int',
      end_time: 'int',
      status: 'text',
    },
    subscription_plans: { id: 'id', title: 'text' },
    checkins: { id: 'id', user_id: 'int', checkin_date: 'text', quota_awarded: 'int' },
  }
}

export const SECOND_STEP_SECRET = 'KRSXG5CTMVRXEZLU'

function rowsOf(generation: Generation, vendor: string): Readonly<Record<string, readonly Row[]>> {
  const isOne = generation === 'one-api-0.6'
  const user = (id: number, username: string, more: Row = {}): Row => ({
    id,
    username,
    password: BCRYPT,
    display_name: `${username} shown`,
    role: 1,
    status: 1,
    quota: 0,
    used_quota: 0,
    request_count: 0,
    group: 'default',
    email: '',
    github_id: '',
    wechat_id: '',
    oidc_id: '',
    lark_id: '',
    telegram_id: '',
    linux_do_id: '',
    access_token: null,
    inviter_id: 0,
    aff_code: `c${id}`,
    aff_count: 0,
    aff_quota: 0,
    aff_history: 0,
    setting: '',
    deleted_at: null,
    ...more,
  })
  const token = (id: number, user_id: number, more: Row = {}): Row => ({
    id,
    user_id,
    key: oldKey(id),
    status: 1,
    name: `token ${id}`,
    created_time: old.created,
    accessed_time: old.created,
    expired_time: NEVER,
    remain_quota: 0,
    unlimited_quota: false,
    used_quota: 0,
    model_limits_enabled: false,
    model_limits: '',
    models: null,
    allow_ips: '',
    subnet: '',
    group: '',
    cross_group_retry: false,
    deleted_at: null,
    ...more,
  })
  const channel = (id: number, type: number, more: Row = {}): Row => ({
    id,
    type,
    key: `vendor-key-${id}`,
    status: 1,
    name: `channel ${id}`,
    weight: 0,
    created_time: old.created,
    test_time: 0,
    response_time: 0,
    base_url: vendor,
    other: '',
    balance: 0,
    balance_updated_time: 0,
    models: 'gpt-4o,gpt-4o-mini',
    group: 'default,vip',
    used_quota: 0,
    model_mapping: '',
    priority: 0,
    auto_ban: 1,
    status_code_mapping: '',
    tag: null,
    setting: null,
    param_override: null,
    header_override: null,
    settings: '',
    config: '',
    channel_info: '{"is_multi_key":false,"multi_key_size":0,"multi_key_status_list":null,"multi_key_mode":""}',
    ...more,
  })
  const prices = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 1, model_price: -1, cache_ratio: 0.5, cache_tokens: 20, frt: 210 }
  const log = (id: number, more: Row = {}): Row => ({
    id,
    user_id: 2,
    created_at: OLD_NOW - 7200 + id,
    type: 2,
    content: '',
    username: 'alice',
    token_name: 'token 1',
    model_name: 'gpt-4o',
    quota: 335,
    prompt_tokens: 118,
    completion_tokens: 40,
    is_stream: true,
    channel_id: 1,
    request_id: `old-request-${id}`,
    elapsed_time: 1200,
    use_time: 1,
    token_id: 1,
    group: 'default',
    other: JSON.stringify({ ...prices, admin_info: { use_channel: ['1'] } }),
    ...more,
  })
  return {
    users: [
      user(1, 'root', { role: 100, quota: 100_000_000 }),
      user(2, 'alice', {
        email: 'alice@example.com',
        github_id: 'octo',
        quota: 1_733_978,
        used_quota: 5589,
        request_count: 13,
        group: 'vip',
        access_token: 'hBNrV9JDUdedStIPn4eRAVRDc8lAGw==',
        aff_quota: 300,
        aff_history: 1000,
        aff_count: 1,
      }),
      user(3, 'bob', {
        role: 10,
        quota: 99_999_999,
        inviter_id: 2,
        setting: '{"notify_type":"webhook","webhook_url":"https://hook.example.com/x","quota_warning_threshold":100000}',
      }),
      user(4, '张三', { status: 2, quota: 500_000, access_token: 'N4M/+DD9W+ruOw0I/mX4lzstuXx20i/Y' }),
      user(5, 'user.with.a.long.name', { quota: -1200, used_quota: 1200, request_count: 2 }),
      user(6, isOne ? 'deleted_6' : 'gone', {
        quota: 700,
        used_quota: 300,
        status: isOne ? 3 : 1,
        deleted_at: isOne ? null : '2026-05-01 10:00:00',
      }),
    ],
    tokens: [
      token(1, 2, {
        remain_quota: 499_652,
        used_quota: 5348,
        expired_time: OLD_NOW + 1e8,
        model_limits_enabled: true,
        model_limits: 'gpt-4o-mini,gpt-4o',
        models: 'gpt-4o-mini,gpt-4o',
      }),
      token(2, 2, {
        remain_quota: -336,
        used_quota: 241,
        unlimited_quota: true,
        group: 'vip',
        allow_ips: '10.0.0.1\n192.168.0.0/16',
        subnet: '10.0.0.1,192.168.0.0/16',
      }),
      token(3, 3, { remain_quota: 500_000, expired_time: 1_700_000_000 }),
      token(4, 4, { remain_quota: 1000 }),
      token(5, 5, { status: 4, used_quota: 1200 }),
      token(6, 6, { used_quota: 300, deleted_at: isOne ? null : '2026-05-01 10:00:00' }),
      token(7, 2, { status: 2, unlimited_quota: true }),
      token(8, 2, { unlimited_quota: true }),
    ],
    channels: [
      channel(1, 1, { weight: 5, priority: 10, used_quota: 6489 }),
      channel(2, 1, {
        base_url: 'https://backup.example.com',
        models: 'gpt-4o-mini',
        model_mapping: '{"gpt-4o-mini":"gpt-4o-mini-2024-07-18"}',
        status: 2,
      }),
      channel(3, 3, { base_url: 'https://example.openai.azure.com', other: '2024-08-01-preview', status: 3, group: 'vip' }),
      channel(4, isOne ? 36 : 43, {
        base_url: '',
        models: 'deepseek-chat,deepseek-reasoner',
        status_code_mapping: '{"400":"500"}',
        setting: '{"force_format":true}',
        param_override: '{"temperature":0.3}',
      }),
      channel(5, 1, {
        key: 'sk-a-5\nsk-b-5\nsk-c-5',
        models: 'my-model',
        tag: 'pool',
        channel_info: '{"is_multi_key":true,"multi_key_size":3,"multi_key_status_list":{"1":3},"multi_key_mode":"polling"}',
        header_override: '{"X-Team":"a"}',
      }),
    ],
    options: Object.entries({
      ModelRatio: '{"gpt-4o": 1.25, "gpt-4o-mini": 0.075, "deepseek-chat": 0.135, "my-model": 3}',
      CompletionRatio: '{"gpt-4o": 4, "my-model": 2}',
      ModelPrice: '{"mj_imagine": 0.1, "dall-e-3": 0.04}',
      CacheRatio: '{"gpt-4o": 0.5}',
      GroupRatio: '{"default": 1, "vip": 0.8, "svip": 0.5}',
      UserUsableGroups: '{"default": "默认分组", "vip": "VIP 用户"}',
      SystemName: '我的 API 站',
      Notice: '# 公告\n**欢迎**使用',
      QuotaForNewUser: '50000',
      SMTPServer: 'smtp.example.com',
      SMTPToken: 'smtp-secret',
      'theme.of.another.console': 'dark',
    }).map(([key, value]) => ({ key, value })),
    redemptions: [
      {
        id: 1,
        user_id: 1,
        key: 'fe0c3704f2f04849a25f7274eead9dab',
        status: 1,
        name: '活动',
        quota: 500_000,
        created_time: old.created,
        redeemed_time: 0,
        used_user_id: 0,
        deleted_at: null,
        expired_time: 0,
      },
      {
        id: 2,
        user_id: 1,
        key: '22b3db25b7c0499e858f19943ce5dae9',
        status: 3,
        name: '活动',
        quota: 500_000,
        created_time: old.created,
        redeemed_time: old.created,
        used_user_id: 2,
        deleted_at: null,
        expired_time: 0,
      },
    ],
    logs: [
      log(1, {
        type: 4,
        content: '新用户注册赠送 ＄0.100000 额度',
        quota: 0,
        model_name: '',
        token_name: '',
        token_id: 0,
        channel_id: 0,
        other: '',
      }),
      log(2),
      log(3, {
        model_name: 'gpt-4o-mini',
        quota: 18,
        prompt_tokens: 105,
        completion_tokens: 40,
        is_stream: false,
        other: JSON.stringify({ ...prices, model_ratio: 0.075, completion_ratio: 4, group_ratio: 0.8, cache_ratio: 1, cache_tokens: 0 }),
        group: 'vip',
        ...(isOne ? {} : { quota: 16 }),
      }),
      log(4, { type: 5, content: 'status 503', quota: 0 }),
    ],
    top_ups: [
      {
        id: 1,
        user_id: 2,
        amount: 10,
        money: 73,
        trade_no: 'USR2NOabc1',
        create_time: old.created,
        complete_time: old.created + 60,
        status: 'success',
        payment_method: 'alipay',
      },
      {
        id: 2,
        user_id: 3,
        amount: 5,
        money: 36.5,
        trade_no: 'USR3NOabc2',
        create_time: old.created,
        complete_time: 0,
        status: 'pending',
        payment_method: 'wxpay',
      },
    ],
    midjourneys: [
      {
        id: 1,
        code: 1,
        user_id: 2,
        action: 'IMAGINE',
        mj_id: '176000000000',
        prompt: 'a cat',
        prompt_en: 'a cat',
        description: '',
        state: '',
        submit_time: old.created * 1000,
        start_time: old.created * 1000,
        finish_time: old.created * 1000 + 60_000,
        image_url: 'https://img.example.com/1.png',
        status: 'SUCCESS',
        progress: '100%',
        fail_reason: '',
        channel_id: 1,
        quota: 50_000,
        buttons: '[]',
        properties: '{"finalPrompt":"a cat"}',
      },
      {
        id: 2,
        code: 1,
        user_id: 2,
        action: 'UPSCALE',
        mj_id: '176000000001',
        prompt: 'a cat',
        prompt_en: '',
        description: '',
        state: '',
        submit_time: old.created * 1000,
        start_time: 0,
        finish_time: 0,
        image_url: '',
        status: 'FAILURE',
        progress: '100%',
        fail_reason: 'banned prompt',
        channel_id: 1,
        quota: 50_000,
        buttons: '',
        properties: '',
      },
    ],
    tasks: [
      {
        id: 1,
        created_at: old.created,
        updated_at: old.created,
        task_id: 'task-0',
        platform: 'suno',
        user_id: 2,
        channel_id: 1,
        quota: 50_000,
        action: 'MUSIC',
        status: 'SUCCESS',
        fail_reason: '',
        submit_time: old.created,
        start_time: old.created,
        finish_time: old.created + 90,
        progress: '100%',
        properties: '{"input":""}',
        data: '[{"id":"x"}]',
      },
    ],
    quota_data: [
      {
        id: 1,
        user_id: 2,
        username: 'alice',
        model_name: 'gpt-4o-mini',
        created_at: old.hour - 86_400,
        token_used: 1400,
        count: 10,
        quota: 5000,
      },
    ],
    two_fas: [{ id: 1, user_id: 3, secret: SECOND_STEP_SECRET, is_enabled: true, deleted_at: null }],
    user_subscriptions: [
      {
        id: 1,
        user_id: 2,
        plan_id: 1,
        amount_total: 5_000_000,
        amount_used: 1_200_000,
        start_time: old.created,
        end_time: 4_000_000_000,
        status: 'active',
      },
    ],
    subscription_plans: [{ id: 1, title: '月付' }],
    checkins: [{ id: 1, user_id: 2, checkin_date: '2026-02-01', quota_awarded: 500 }],
  }
}

/** The tables of a generation with their rows; channels call `vendor`. */
export function gatewayTables(generation: Generation, vendor = 'https://vendor.example.com'): Tables {
  const rows = rowsOf(generation, vendor)
  return Object.fromEntries(Object.entries(columnsOf(generation)).map(([table, columns]) => [table, { columns, rows: rows[table] ?? [] }]))
}

const TYPES = {
  sqlite: {
    id: 'integer primary key',
    int: 'integer',
    text: 'text',
    long: 'text',
    flag: 'numeric',
    json: 'json',
    real: 'real',
    time: 'datetime',
  },
  postgres: {
    id: 'bigint primary key',
    int: 'bigint',
    text: 'varchar(1024)',
    long: 'text',
    flag: 'boolean',
    json: 'json',
    real: 'decimal',
    time: 'timestamptz',
  },
  mysql: {
    id: 'bigint primary key',
    int: 'bigint',
    text: 'varchar(191)',
    long: 'longtext',
    flag: 'tinyint(1)',
    json: 'json',
    real: 'double',
    time: 'datetime(3)',
  },
} as const satisfies Record<string, Record<Kind, string>>
export type StoreKind = keyof typeof TYPES

const quote = (store: StoreKind, name: string): string => (store === 'mysql' ? `\`${name}\`` : `"${name}"`)

/** Statements that create the tables and fill them. */
export function* gatewayStatements(store: StoreKind, tables: Tables): Generator<string> {
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    const parts = Object.entries(columns).map(([column, kind]) => `${quote(store, column)} ${TYPES[store][kind]}`)
    yield `create table ${quote(store, table)} (${parts.join(', ')})`
    for (const row of rows) {
      const present = Object.keys(columns).filter((column) => row[column] !== undefined)
      const values = present.map((column) => literal(store, row[column] ?? null))
      yield `insert into ${quote(store, table)} (${present.map((column) => quote(store, column)).join(', ')}) values (${values.join(', ')})`
    }
  }
}

function literal(store: StoreKind, value: Row[string]): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return store === 'postgres' ? String(value) : value ? '1' : '0'
  if (typeof value === 'string') return `'${(store === 'mysql' ? value.replaceAll('\\', '\\\\') : value).replaceAll("'", "''")}'`
  const hex = Buffer.from(value).toString('hex')
  return store === 'postgres' ? `convert_from('\\x${hex}', 'latin1')` : `x'${hex}'`
}

/** Writes the tables into a new SQLite file. */
export function writeGatewayFile(path: string, tables: Tables): void {
  const db = new DatabaseSync(path)
  for (const statement of gatewayStatements('sqlite', tables)) db.exec(statement)
  db.close()
}

export type Crowd = { readonly users: number; readonly tokens: number; readonly channels: number; readonly logs: number }

/** new-api of 2026 with this many rows, in which every sum of use agrees with the log. */
export function* crowdStatements(store: StoreKind, { users, tokens, channels, logs }: Crowd): Generator<string> {
  const empty = Object.entries(gatewayTables('new-api-2026')).map(([table, { columns, rows }]) => {
    const kept = table === 'options' ? rows : table === 'users' ? rows.slice(0, 1) : []
    return [table, { columns, rows: kept }] as const
  })
  yield* gatewayStatements(store, Object.fromEntries(empty))
  const PER_LOG = 40
  const logsOf = (n: number, of: number): number => Math.floor(logs / of) + (n < logs % of ? 1 : 0)
  yield* inserts(store, 'users', users, (n) => ({
    id: n + 2,
    username: `user ${n}`,
    password: BCRYPT,
    display_name: `User ${n}`,
    role: 1,
    status: 1,
    email: `user${n}@example.com`,
    quota: 1_000_000 + n,
    used_quota: logsOf(n, users) * PER_LOG,
    request_count: logsOf(n, users),
    group: n % 3 === 0 ? 'vip' : 'default',
    aff_code: `a${n}`,
    aff_count: 0,
    aff_quota: 0,
    aff_history: 0,
    inviter_id: n % 10 === 9 ? n : 0,
    setting: '{"gotify_priority":0}',
  }))
  yield* inserts(store, 'channels', channels, (n) => ({
    id: n + 1,
    type: 1,
    key: `vendor-key-${n}`,
    status: 1,
    name: `channel ${n}`,
    weight: 1,
    created_time: old.created,
    base_url: 'https://vendor.example.com',
    models: 'gpt-4o,gpt-4o-mini',
    group: 'default,vip',
    used_quota: logsOf(n, channels) * PER_LOG,
    priority: 0,
    auto_ban: 1,
    channel_info: '{"is_multi_key":false}',
  }))
  yield* inserts(store, 'tokens', tokens, (n) => ({
    id: n + 1,
    user_id: (n % users) + 2,
    key: oldKey(n + 1),
    status: 1,
    name: `token ${n}`,
    created_time: old.created,
    accessed_time: old.created,
    expired_time: NEVER,
    remain_quota: 500_000,
    unlimited_quota: n % 2 === 0,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    // The first token of each user made its requests.
    used_quota: n < users ? logsOf(n, users) * PER_LOG : 0,
    group: '',
    cross_group_retry: false,
  }))
  const other = { model_ratio: 0.075, completion_ratio: 4, group_ratio: 1, model_price: -1, cache_ratio: 1, cache_tokens: 0, frt: 20 }
  yield* inserts(store, 'logs', logs, (n) => ({
    id: n + 1,
    user_id: (n % users) + 2,
    created_at: OLD_NOW - 86_400 * 60 + n * 5,
    type: 2,
    content: '',
    username: `user ${n % users}`,
    token_name: `token ${n % users}`,
    model_name: 'gpt-4o-mini',
    quota: PER_LOG,
    prompt_tokens: 373,
    completion_tokens: 40,
    use_time: 1,
    is_stream: true,
    channel_id: (n % channels) + 1,
    token_id: (n % users) + 1,
    group: 'default',
    other: JSON.stringify(other),
    request_id: `r${n}`,
  }))
}

const ROWS_PER_STATEMENT = 1000

function* inserts(store: StoreKind, table: string, count: number, rowOf: (n: number) => Row): Generator<string> {
  const columns = Object.keys(rowOf(0))
  const names = columns.map((column) => quote(store, column)).join(', ')
  for (let start = 0; start < count; start += ROWS_PER_STATEMENT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_STATEMENT, count - start) }, (_, n) => {
      const row = rowOf(start + n)
      return `(${columns.map((column) => literal(store, row[column] ?? null)).join(', ')})`
    })
    yield `insert into ${quote(store, table)} (${names}) values ${rows.join(', ')}`
  }
}
