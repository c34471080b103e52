import { setTimeout as wait } from 'node:timers/promises'
import { Option, type Command } from 'commander'
import type { CliEnv } from '@tollgate/config/cli-env'
import type { components } from '@tollgate/admin-client/schema.gen'
import { CliError, EXIT } from '../failure.ts'
import { print, withoutSecrets } from '../output/print.ts'
import { clean, dollarsOf, renderPairs, renderTable, timeOf } from '../output/text.ts'
import { readSite, type Session } from '../session/session.ts'
import { contextOf, describe, readCount } from './command.ts'

type Log = components['schemas']['Log']
type Explanation = components['schemas']['LogExplanation']
type Filter = {
  readonly follow?: true
  readonly own?: true
  readonly limit: number
  readonly since?: number
  readonly model?: string
  readonly token?: string
  readonly group?: string
  readonly user?: string
  readonly channel?: string
  readonly outcome?: (typeof OUTCOMES)[number]
}

const OUTCOMES = ['charged', 'estimated', 'corrected', 'failed', 'refused'] as const
const POLL_MS = 1000

export function addLogs(program: Command, env: CliEnv): void {
  const group = program.command('logs').description('Shows requests and how their charge came about')
  describe(group, {
    usage: 'tail',
    about: 'Shows the newest log entries, oldest first',
    example: 'tollgate logs tail --follow --model gpt-4o-mini',
  })
    .option('-f, --follow', 'waits for further entries until it is stopped')
    .option('--own', 'only the entries of the own account; an administrator sees all without it')
    .option('--limit <n>', 'entries at the start', readCount, 20)
    .option('--since <minutes>', 'only entries of so many minutes', readCount)
    .option('--model <name>', 'of a model; % stands for any text')
    .option('--token <name>', 'of a token')
    .option('--group <name>', 'of a group')
    .option('--user <name>', 'of a user')
    .option('--channel <id>', 'of a channel')
    .addOption(new Option('--outcome <outcome>', 'of an outcome').choices(OUTCOMES))
    .action(async (_, command: Command) => await tail(command, env))
  describe(group, {
    usage: 'explain <id>',
    about: 'Shows line by line how the charge of a request came about; takes the id of the entry or of the request',
    example: 'tollgate logs explain 20261129101500000000000abcdefgh',
  })
    .option('--own', 'a request of the own account; an administrator sees all without it')
    .action(async (id: string, _, command: Command) => await explain(id, command, env))
}

/** A page of entries, newest first. */
async function readPage(
  session: Session,
  filter: Filter,
  more: { start?: number; limit: number; request?: string },
): Promise<readonly Log[]> {
  const query = {
    p: 1,
    page_size: Math.min(more.limit, 100),
    start_timestamp: more.start ?? 0,
    request_id: more.request ?? '',
    model_name: filter.model ?? '',
    token_name: filter.token ?? '',
    group: filter.group ?? '',
    outcome: filter.outcome ?? ('' as const),
  }
  const page =
    filter.own === true || !session.isAdmin
      ? await session.data(session.client.GET('/api/log/self', { params: { query } }))
      : await session.data(
          session.client.GET('/api/log', {
            params: { query: { ...query, username: filter.user ?? '', channel: Number(filter.channel ?? 0) } },
          }),
        )
  return page.items
}

async function tail(command: Command, env: CliEnv): Promise<void> {
  const { session, options } = contextOf<Filter>(command, env)
  const { quota_per_unit: perUnit } = await readSite(session)
  const start = options.since === undefined ? 0 : Math.floor(Date.now() / 1000) - options.since * 60
  const first = (await readPage(session, options, { start, limit: options.limit })).toReversed()
  if (options.follow !== true) {
    print(options.output, first, () =>
      renderTable(
        HEADS,
        first.map((entry) => cellsOf(entry, perUnit)),
      ),
    )
    return
  }
  const seen = new Set<number>()
  let newest = first.at(-1)?.created_at ?? Math.floor(Date.now() / 1000) - 1
  const write = (entries: readonly Log[]): void => {
    for (const entry of entries.filter(({ id }) => !seen.has(id))) {
      seen.add(entry.id)
      newest = Math.max(newest, entry.created_at)
      // One entry a line, so that a program can read while it runs.
      process.stdout.write(
        `${options.output === 'table' ? cellsOf(entry, perUnit).map(clean).join('  ') : JSON.stringify(withoutSecrets(entry))}\n`,
      )
    }
  }
  for (let entries = first; ;) {
    write(entries)
    await wait(POLL_MS)
    // Entries of requests that took long are posted late, but under the time of their end.
    entries = (await readPage(session, options, { start: newest - 10, limit: 100 })).toReversed()
  }
}

const HEADS = ['TIME', 'ID', 'USER', 'TOKEN', 'MODEL', 'INPUT', 'OUTPUT', 'CHARGE', 'CHANNEL', 'STATE']

const cellsOf = (entry: Log, perUnit: number): string[] => [
  timeOf(entry.created_at),
  String(entry.id),
  entry.username,
  tokenNameOf(entry),
  entry.model_name === '' ? entry.content.slice(0, 60) : entry.model_name,
  String(entry.prompt_tokens),
  String(entry.completion_tokens),
  dollarsOf(entry.quota, perUnit),
  entry.channel_name === '' ? String(entry.channel) : entry.channel_name,
  entry.state === '' ? '–' : entry.state,
]

/** The token name in rows of channel tests, as existing consoles know it. */
const CHANNEL_TEST_NAME = '模型测试'

const tokenNameOf = ({ token_id, token_name }: Log): string =>
  token_id === 0 && token_name === CHANNEL_TEST_NAME ? '(channel test)' : token_name

async function explain(id: string, command: Command, env: CliEnv): Promise<void> {
  const { session, options } = contextOf<Pick<Filter, 'own'>>(command, env)
  const { quota_per_unit: perUnit } = await readSite(session)
  const isOwn = options.own === true || !session.isAdmin
  const entry = /^\d{1,15}$/.test(id) ? Number(id) : await findEntry(session, id, isOwn)
  const params = { params: { path: { id: entry } } }
  const data = isOwn
    ? await session.data(session.client.GET('/api/log/self/{id}/explanation', params))
    : await session.data(session.client.GET('/api/log/{id}/explanation', params))
  const { log, charge } = data
  print(options.output, data, () => {
    const facts = renderPairs([
      ['Request', log.request_id],
      ['Time', timeOf(log.created_at)],
      ['Model', log.model_name],
      ['Tokens', `${log.prompt_tokens} in, ${log.completion_tokens} out`],
      ['Ended by', data.ended_by ?? '–'],
      ['Charge', `${dollarsOf(log.quota, perUnit)} (${log.quota} quota)`],
    ])
    const lines = (charge?.lines ?? []).map((line) => [
      line.label === undefined ? line.kind : `${line.kind} ${line.label}`,
      String(line.tokens ?? line.count ?? ''),
      line.factors.map(({ name, value }) => `${name} ${value}`).join(' × '),
      line.quota,
    ])
    return [facts, ...(lines.length === 0 ? [] : [renderTable(['LINE', 'COUNT', 'FACTORS', 'QUOTA'], lines)]), ...attemptsOf(data)].join(
      '\n\n',
    )
  })
}

const MAX_MESSAGE = 120

type NamedChannel = { readonly channel_id: number; readonly channel_name: string }

const channelNameOf = ({ channel_id, channel_name }: NamedChannel): string => (channel_name === '' ? `#${channel_id}` : channel_name)

/** The tries of vendors, and the channels that were passed over. A user sees neither. */
function attemptsOf({ explanation }: Explanation): string[] {
  const attempts = (explanation?.attempts ?? []).map((one, at) => [
    String(at + 1),
    channelNameOf(one),
    one.upstream_model,
    one.status === undefined || one.status === 0 ? one.outcome : `${one.outcome} (${one.status})`,
    `${Math.round(one.ended_ms - one.started_ms)} ms`,
    one.retry ?? '',
    (one.message ?? '').slice(0, MAX_MESSAGE),
  ])
  const passed = (explanation?.candidates ?? []).filter(({ result }) => result !== 'chosen').map((one) => [channelNameOf(one), one.result])
  return [
    ...(attempts.length === 0 ? [] : [renderTable(['TRY', 'CHANNEL', 'MODEL', 'OUTCOME', 'TOOK', 'RETRY', 'MESSAGE'], attempts)]),
    ...(passed.length === 0 ? [] : [renderTable(['CHANNEL', 'PASSED OVER'], passed)]),
  ]
}

async function findEntry(session: Session, request: string, own: boolean): Promise<number> {
  const [entry] = await readPage(session, { limit: 1, ...(own ? { own } : {}) }, { limit: 1, request })
  if (entry === undefined) throw new CliError(`no entry of request ${request}`, EXIT.refused)
  return entry.id
}
