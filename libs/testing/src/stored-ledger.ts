import { finished, pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import postgres from 'postgres'
import { createRareVariant, createVariants, drawFrom } from './ledger-variants.ts'
import { derivedAccounts, SKEW, type LedgerPlan } from './ledger-rows.ts'

type Plan = Pick<LedgerPlan, 'rows' | 'users' | 'shards' | 'until' | 'hours' | 'seed'> & {
  readonly channels: number
  readonly tokenNames: number
  readonly rareOneIn: number
}

type Urls = {
  readonly postgres: string
  /** `clickhouse://` of a store whose schema is there. */
  readonly store: string
}

const ROWS_PER_INSERT = 1_000_000
/** Larger ledgers have no usage, quote and explanation, which lists do not read, and one hour row for a user, with one of its models. */
export const COMPLETE_ROWS = 20_000_000
/** One row in this many corrects the row before it. */
const LATE_ONE_IN = 1000
const DAY = 86_400

/**
 * Fills an empty log store, and the sums and accounts of an empty database, with the ledger that `seedLedger` writes to Postgres: the same
 * users, channels, models and shares. The store makes the rows itself. They have request ids, usage, quote and an explanation with times of
 * its own, as posting writes them, up to `COMPLETE_ROWS`. Hour rows name no channel and have no latencies: with a channel drawn for each
 * request there would be nearly as many of them as log rows. Returns the seconds that the log rows took.
 */
export async function seedStoredLedger(urls: Urls, plan: Plan): Promise<number> {
  const run = runnerAt(urls.store)
  const began = performance.now()
  await run(VARIANTS_TABLE, variantLines(plan))
  for (let start = 0; start < plan.rows; start += ROWS_PER_INSERT) {
    await run(insertOf(plan, start, Math.min(ROWS_PER_INSERT, plan.rows - start)))
  }
  const took_s = (performance.now() - began) / 1000
  await run('DROP TABLE seed_variants')
  const sql = postgres(urls.postgres, { max: 1, onnotice: () => undefined })
  try {
    await copyHours(sql, run, plan)
    for (const statement of [...derivedAccounts(plan), 'analyze']) await sql.unsafe(statement)
    return took_s
  } finally {
    await sql.end()
  }
}

type Run = (statement: string, rows?: string) => Promise<string>

/** Statements over HTTP without the limits of time that the product's client has. Answers are tab-separated, as COPY reads them. */
function runnerAt(store: string): Run {
  const { hostname, port, pathname } = new URL(store)
  return async (statement, rows) => {
    const parameters = new URLSearchParams({ database: pathname.slice(1), max_partitions_per_insert_block: '0' })
    for (const body of rows === undefined ? [statement] : [statement, `INSERT INTO seed_variants FORMAT TabSeparated\n${rows}`]) {
      const answer = await fetch(`http://${hostname}:${port}/?${parameters.toString()}`, { method: 'POST', body })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`ClickHouse answered ${answer.status}: ${text.slice(0, 500)}`)
      if (rows === undefined) return text
    }
    return ''
  }
}

const VARIANTS_TABLE = `CREATE TABLE seed_variants (
  at UInt64, model_name String, \`group\` String, charge Int64, state String, prompt_tokens Int64, completion_tokens Int64, use_time Int64,
  content String, other String, usage String, quote String, explanation String) ENGINE = Memory`

function variantLines({ seed = 1 }: Plan): string {
  const draw = drawFrom(seed)
  const variants = [...createVariants(draw), createRareVariant(draw)]
  return variants
    .map(({ model, group, charge, state, middle, tail }, at) => {
      const [prompt, completion, use_time, , content, other] = middle
      return [at, model, group, charge, state, prompt, completion, use_time, content, other, ...tail].join('\t')
    })
    .join('\n')
}

const VARIANTS = 4096

/** Draws are hashes of a row's number, so that the same plan gives the same rows. */
function insertOf({ until, hours, rows, users, channels, tokenNames, rareOneIn }: Plan, start: number, count: number): string {
  const draw = (name: string, of = 'n'): string => `(cityHash64(${of}, '${name}') / 18446744073709551616.)`
  const skewed = (name: string, below: number): string => `1 + toInt64(floor(${below} * pow(${draw(name, 'request')}, ${SKEW})))`
  const seconds = hours * 3600
  const drawn = `
    SELECT number AS n, number % ${LATE_ONE_IN} = ${LATE_ONE_IN - 1} AS isLate, n - isLate AS request,
      ${until - seconds} + intDiv(request * ${seconds}, ${rows}) AS time, ${skewed('user', users)} AS user, ${skewed('channel', channels)} AS channel,
      if(request % ${rareOneIn} = 0, ${VARIANTS}, cityHash64(request, 'variant') % ${VARIANTS}) AS variant
    FROM numbers(${start}, ${count})`
  return `
    INSERT INTO logs (id, created_at, type, user_id, username, token_id, token_name, channel_id, model_name, \`group\`, quota,
      prompt_tokens, completion_tokens, use_time, is_stream, content, other, request_id, state, usage, quote, explanation)
    SELECT n + 1, time, if(v.state = 'released', 5, 2), user, concat('user-', toString(user)), user,
      concat('token-', toString(1 + (user - 1) % ${tokenNames})), channel, v.model_name, v.\`group\`, if(isLate, intDiv(v.charge, 10), v.charge),
      v.prompt_tokens, v.completion_tokens, v.use_time, true, v.content, v.other,
      concat(formatDateTime(toDateTime(time, 'UTC'), '%Y%m%d'), lower(hex(sipHash128(request)))), if(isLate AND v.state <> 'released', 'late', v.state),
      ${rows > COMPLETE_ROWS ? "'', '', ''" : `v.usage, v.quote, ${withOwnTimes('v.explanation')}`}
    FROM (${drawn}) AS d JOIN seed_variants AS v ON v.at = d.variant`
}

/** Steps and addresses are what differs most between the explanations of production. */
const withOwnTimes = (text: string): string =>
  `replaceRegexpAll(replaceOne(${text}, '203.0.113.7', IPv4NumToString(toUInt32(cityHash64(user, n % 8)))),
    '_ms":([0-9]+)[.0-9]*', concat('_ms":\\\\1.', toString(100 + cityHash64(n) % 900)))`

/** Hour rows as posting would have added them, day after day. */
async function copyHours(sql: postgres.Sql, run: Run, { until, hours, rows }: Plan): Promise<void> {
  const sink = await sql`copy usage_hours (${sql.unsafe(HOUR_COLUMNS)}) from stdin`.writable()
  const days = async function* (): AsyncGenerator<string> {
    for (let from = until - hours * 3600 - ((until - hours * 3600) % DAY); from <= until; from += DAY)
      yield await run(hoursOf(from, rows > COMPLETE_ROWS))
  }
  await pipeline(Readable.from(days()), sink)
  await finished(sink)
}

const HOUR_COLUMNS = `hour, user_id, token_id, channel_id, model_name, "group", token_name, type, requests, quota, token_quota, prompt_tokens,
  completion_tokens, use_time_ms, logged_requests, logged_quota, input_tokens, cached_tokens`

const hoursOf = (from: number, isCoarse: boolean): string => `
  SELECT created_at - created_at % 3600 AS hour, user_id, token_id, 0, ${isCoarse ? "if(countIf(model_name = 'rare') > 0, 'rare', any(model_name)), any(`group`)" : 'model_name, `group`'}, token_name, type, countIf(state <> 'late'),
    sum(quota), if(token_id % 2 = 1, sum(quota), 0), sum(prompt_tokens), sum(completion_tokens), sum(use_time) * 1000, count(), sum(quota),
    sum(prompt_tokens), intDiv(sum(prompt_tokens), 4)
  FROM logs WHERE created_at >= ${from} AND created_at < ${from + DAY}
  GROUP BY hour, user_id, token_id, ${isCoarse ? '' : 'model_name, `group`, '}token_name, type ORDER BY hour`
