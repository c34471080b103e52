import { z } from 'zod'
import { ErrorParams } from '../errors/params.ts'
import { endpoint } from '../endpoint.ts'
import { Charge, Quote, Usage } from '../pricing/quote.ts'
import { Quota, UnixSeconds } from '../units.ts'
import { EndedBy, Explanation } from '../relay/usage-event.ts'
import { TaskChange } from '../tasks/tasks.ts'
import { ArchiveMonth, ArchiveState } from '../values/log-archive.ts'
import { FilterInt, IdParams, PageQuery, pageOf, QueryInt, QueryText } from '../values/common-schemas.ts'

export const Log = z.object({
  id: z.int(),
  user_id: z.int(),
  created_at: UnixSeconds,
  type: z.int(),
  content: z.string(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  quota: Quota,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  use_time: z.int(),
  is_stream: z.boolean(),
  /** Channel id; 0 in the user view. */
  channel: z.int(),
  /** Empty in the user view. */
  channel_name: z.string(),
  token_id: z.int(),
  group: z.string(),
  /** JSON text of LogOther, or empty. */
  other: z.string(),
  /** Ours: the X-Oneapi-Request-Id of the answer. */
  request_id: z.string(),
  /** Ours: how the request ended (`settled`, `estimated`, `released`, `late`); empty for other entries. An entry with a state has an explanation. */
  state: z.string(),
})
export type Log = z.infer<typeof Log>

/** The content of a log's field `other`; every field may be absent. */
export const LogOther = z.looseObject({
  model_ratio: z.number().optional(),
  /** −1: charged by usage. */
  model_price: z.number().optional(),
  group_ratio: z.number().optional(),
  completion_ratio: z.number().optional(),
  cache_tokens: z.number().optional(),
  cache_ratio: z.number().optional(),
  cache_creation_tokens: z.number().optional(),
  cache_creation_ratio: z.number().optional(),
  /** Milliseconds to the first token; −1000: not known. */
  frt: z.number().optional(),
  is_model_mapped: z.boolean().optional(),
  upstream_model_name: z.string().optional(),
  reasoning_effort: z.string().optional(),
  claude: z.boolean().optional(),
  ws: z.boolean().optional(),
  audio: z.boolean().optional(),
  audio_input: z.number().optional(),
  audio_output: z.number().optional(),
  text_input: z.number().optional(),
  text_output: z.number().optional(),
  audio_ratio: z.number().optional(),
  audio_completion_ratio: z.number().optional(),
  image: z.boolean().optional(),
  image_ratio: z.number().optional(),
  image_output: z.number().optional(),
  error_type: z.string().optional(),
  error_code: z.string().optional(),
  /** Ours, of a failed request: the vendor wrote `content`. Rows of earlier versions lack it. */
  is_vendor_message: z.boolean().optional(),
  /** Ours, of a refused request: the row of the error table, what fills its texts, and a model that the configuration does not know. */
  reason: z.string().optional(),
  params: ErrorParams.optional(),
  requested_model: z.string().optional(),
  duration_ms: z.number().optional(),
  client: z.looseObject({ ip: z.string(), user_agent: z.string(), method: z.string(), path: z.string() }).partial().optional(),
  status_code: z.number().optional(),
  /** `vendor_message`: ours, of a failed request whose `content` is the gateway's own text. */
  admin_info: z.looseObject({ use_channel: z.array(z.string()).optional(), vendor_message: z.string().optional() }).optional(),
})
export type LogOther = z.infer<typeof LogOther>

/**
 * Why a request cost what it cost. A user gets no channels and upstream texts: attempts then have channel 0 and no name, and
 * candidates are empty.
 */
export const LogExplanation = z.object({
  log: Log,
  quote: Quote.nullable(),
  usage: Usage.nullable(),
  /** The lines sum to `log.quota`. Null when the quote or usage is missing. */
  charge: Charge.nullable(),
  explanation: Explanation.nullable(),
  /** Cause of the request's end; null for entries of earlier versions. */
  ended_by: EndedBy.nullable(),
  /** The HTTP status that the client received; null for entries of earlier versions. */
  client_status: z.int().nullable(),
  /** Quota taken from the token, 0 for an unlimited token; null for entries of earlier versions. */
  token_charge: Quota.nullable(),
  /** Requests of one conversation or realtime session share it; empty where it is not known. */
  session: z.string(),
  /** The course of the task that the request submitted; absent: none. */
  task: z.array(TaskChange).optional(),
})
export type LogExplanation = z.infer<typeof LogExplanation>

export const LogStat = z.object({ quota: Quota, rpm: z.int(), tpm: z.int() })
export type LogStat = z.infer<typeof LogStat>

/** `charged`: as reported by the upstream; `estimated`: without its report; `corrected`: charged again after a repair. */
export const LOG_OUTCOMES = ['charged', 'estimated', 'corrected', 'failed', 'refused'] as const
export type LogOutcome = (typeof LOG_OUTCOMES)[number]

/** Refused requests of a range: how many there were, and how many of them have a log entry. */
export const RefusalStat = z.object({
  /** The ends of the range count by the minutes that contain them, or by whole hours where no minutes are kept. */
  unit: z.enum(['minute', 'hour']),
  seen: z.int(),
  listed: z.int(),
  reasons: z.array(z.object({ reason: z.string(), seen: z.int(), listed: z.int() })),
})
export type RefusalStat = z.infer<typeof RefusalStat>

/** Rows of a time by what became of their requests. Times without any are absent. */
export const LogHistogram = z.object({
  /** The length of a step. */
  seconds: z.int(),
  from: UnixSeconds,
  until: UnixSeconds,
  steps: z.array(z.object({ at: UnixSeconds, charged: z.int(), failed: z.int(), refused: z.int() })),
  /** Only the newest rows were counted. */
  is_cut: z.boolean(),
})
export type LogHistogram = z.infer<typeof LogHistogram>

const ownFilter = {
  /** 0: all types. */
  type: FilterInt,
  start_timestamp: FilterInt,
  end_timestamp: FilterInt,
  token_name: QueryText,
  /** A pattern: `%` matches any text. */
  model_name: QueryText,
  group: QueryText,
  /** Ours: the id that the response carried. With it the other fields still apply. */
  request_id: QueryText,
  /** Ours: how a request ended; empty: all entries. */
  outcome: z.enum(['', ...LOG_OUTCOMES]).default(''),
  /** Ours: the error code that the client received. */
  error_code: QueryText,
  /** Ours: requests that took at least so many seconds; 0: all. */
  min_seconds: FilterInt,
  /** Ours: requests of the same conversation or realtime session. */
  session: QueryText,
  /** Ours: with `part`, a name of a user or token that does not exist stands for all names that contain it. */
  names: z.enum(['', 'part']).default(''),
}
const adminFilter = { ...ownFilter, username: QueryText, channel: FilterInt }

export const OwnLogFilter = z.object(ownFilter)
export type OwnLogFilter = z.infer<typeof OwnLogFilter>
export const LogFilter = z.object(adminFilter)
export type LogFilter = z.infer<typeof LogFilter>

/** The deletion of entries before a time, in the background. */
export const LogClearing = z.object({
  id: z.int(),
  before: UnixSeconds,
  /** Entries when it was ordered. */
  total: z.int(),
  removed: z.int(),
  requested_by: z.string(),
  created_at: UnixSeconds,
  /** 0: not finished. */
  finished_at: UnixSeconds,
})
export type LogClearing = z.infer<typeof LogClearing>

/** A month of entries in the object store, or on its way to it or back. */
export const LogArchive = z.object({
  month: ArchiveMonth,
  state: ArchiveState,
  /** Entries in the objects that are stored so far. */
  rows: z.int(),
  bytes: z.int(),
  objects: z.int(),
  /** How many of the objects are in the database again. */
  restored_objects: z.int(),
  /** Why it has not ended yet; empty: nothing is known to stop it. */
  error: z.string(),
  /** Empty: the option LogArchiveMonths. */
  requested_by: z.string(),
  created_at: UnixSeconds,
  /** 0: not finished. */
  finished_at: UnixSeconds,
})
export type LogArchive = z.infer<typeof LogArchive>

/** `months`: those that have ended and are not archived, the newest first. */
export const LogArchives = z.object({ archives: z.array(LogArchive), months: z.array(ArchiveMonth) })
export type LogArchives = z.infer<typeof LogArchives>

const MonthBody = z.object({ month: ArchiveMonth })

const OwnRefusalFilter = OwnLogFilter.pick({ start_timestamp: true, end_timestamp: true, token_name: true, names: true })
const RefusalFilter = LogFilter.pick({ start_timestamp: true, end_timestamp: true, token_name: true, username: true, names: true })

/** Seconds that the caller's clock is ahead of UTC: days begin at its midnight. */
const Offset = { offset: FilterInt }
/** Ours: the page after this row, instead of `p`. Its cost does not depend on how far back the row is. */
const KeysetQuery = { before_created_at: QueryInt, before_id: QueryInt }
/** The time of the log row, which selects its partition; 0: it is searched for. */
const ExplanationQuery = z.object({ created_at: QueryInt })
/** Ours: with `total_is_capped` there are more rows than `total`, which then is 10 000, and pages end there too. */
const LogPage = pageOf(Log).extend({
  total_is_capped: z.boolean(),
  /** Ours: the archived month in which the request id that was searched for may have entries; absent: there is none. */
  archived_month: ArchiveMonth.optional(),
})
const KeywordQuery = z.object({ keyword: QueryText })

export const logs = {
  list: endpoint({
    method: 'GET',
    path: '/api/log/',
    load: 'heavy',
    access: 'admin',
    summary: 'Log entries, newest first',
    query: z.object({ ...PageQuery.shape, ...KeysetQuery, ...adminFilter }),
    data: LogPage,
  }),
  listOwn: endpoint({
    method: 'GET',
    path: '/api/log/self',
    load: 'heavy',
    access: 'user',
    right: 'usage.read',
    summary: 'Own log entries, newest first',
    query: z.object({ ...PageQuery.shape, ...KeysetQuery, ...ownFilter }),
    data: LogPage,
  }),
  stat: endpoint({
    method: 'GET',
    path: '/api/log/stat',
    load: 'heavy',
    access: 'admin',
    summary: 'Total quota of the matching entries; requests and tokens of the last minute',
    query: LogFilter,
    data: LogStat,
  }),
  statOwn: endpoint({
    method: 'GET',
    path: '/api/log/self/stat',
    load: 'heavy',
    access: 'user',
    right: 'usage.read',
    summary: 'Total quota of own entries; requests and tokens of the last minute',
    query: OwnLogFilter,
    data: LogStat,
  }),
  histogram: endpoint({
    method: 'GET',
    path: '/api/log/histogram',
    load: 'heavy',
    access: 'admin',
    summary: 'Counts the requests of a range over time, by how they ended (ours)',
    query: z.object({ ...adminFilter, ...Offset }),
    data: LogHistogram,
  }),
  histogramOwn: endpoint({
    method: 'GET',
    path: '/api/log/self/histogram',
    load: 'heavy',
    access: 'user',
    right: 'usage.read',
    summary: 'Counts the own requests of a range over time, by how they ended (ours)',
    query: z.object({ ...ownFilter, ...Offset }),
    data: LogHistogram,
  }),
  refusals: endpoint({
    method: 'GET',
    path: '/api/log/refusals',
    load: 'heavy',
    access: 'admin',
    summary: 'Counts refused requests by reason, including those without an entry (ours)',
    query: RefusalFilter,
    data: RefusalStat,
  }),
  refusalsOwn: endpoint({
    method: 'GET',
    path: '/api/log/self/refusals',
    load: 'heavy',
    access: 'user',
    right: 'usage.read',
    summary: 'Counts own refused requests by reason, including those without an entry (ours)',
    query: OwnRefusalFilter,
    data: RefusalStat,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/log/search',
    load: 'heavy',
    access: 'admin',
    summary: 'The newest 100 entries by type or start of the content',
    query: KeywordQuery,
    data: z.array(Log),
  }),
  searchOwn: endpoint({
    method: 'GET',
    path: '/api/log/self/search',
    load: 'heavy',
    access: 'user',
    right: 'usage.read',
    summary: 'The newest 100 own entries of a type',
    query: KeywordQuery,
    data: z.array(Log),
  }),
  explain: endpoint({
    method: 'GET',
    path: '/api/log/{id}/explanation',
    access: 'admin',
    summary: 'Explains the cost of a request (ours)',
    params: IdParams,
    query: ExplanationQuery,
    data: LogExplanation,
  }),
  explainOwn: endpoint({
    method: 'GET',
    path: '/api/log/self/{id}/explanation',
    access: 'user',
    right: 'usage.read',
    summary: 'Explains the cost of an own request, without channels (ours)',
    params: IdParams,
    query: ExplanationQuery,
    data: LogExplanation,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/log/',
    access: 'admin',
    summary: 'Deletes entries older than target_timestamp',
    query: z.object({ target_timestamp: QueryInt }),
    data: z.int(),
  }),
  countBefore: endpoint({
    method: 'GET',
    path: '/api/log/clearings/count',
    load: 'heavy',
    access: 'admin',
    summary: 'How many entries are older than target_timestamp (ours)',
    query: z.object({ target_timestamp: QueryInt }),
    data: z.int(),
  }),
  clear: endpoint({
    method: 'POST',
    path: '/api/log/clearings',
    access: 'admin',
    summary: 'Deletes entries older than target_timestamp in the background (ours)',
    body: z.object({ target_timestamp: UnixSeconds }),
    data: LogClearing,
  }),
  clearings: endpoint({
    method: 'GET',
    path: '/api/log/clearings',
    access: 'admin',
    summary: 'The newest deletions of entries, with their progress (ours)',
    data: z.array(LogClearing),
  }),
  archives: endpoint({
    method: 'GET',
    path: '/api/log/archives',
    access: 'admin',
    summary: 'Months of entries in the object store, with their progress, and months that can go there (ours)',
    data: LogArchives,
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/log/archives',
    access: 'admin',
    summary: 'Moves the entries of a month to the object store in the background (ours)',
    body: MonthBody,
    data: z.null(),
  }),
  restoreArchive: endpoint({
    method: 'POST',
    path: '/api/log/archives/restore',
    access: 'admin',
    summary: 'Brings the entries of an archived month back in the background (ours)',
    body: MonthBody,
    data: z.null(),
  }),
  listOfToken: endpoint({
    method: 'GET',
    path: '/api/log/token',
    load: 'heavy',
    access: 'key',
    summary: 'Entries of one API key, sent in the Authorization header; of the last 31 days without a time',
    query: PageQuery.extend({ start_timestamp: FilterInt, end_timestamp: FilterInt }),
    data: z.array(Log),
  }),
}
