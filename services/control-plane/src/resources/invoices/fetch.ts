import { AppError } from '@tollgate/contracts/app-error'
import { MAX_INVOICE_CHARACTERS, type FetchedInvoice, type InvoiceFile } from '@tollgate/contracts/resources/vendor-invoices'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { OutboundError } from '@tollgate/outbound/errors'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { tooLarge } from './read.ts'

const TIMEOUT_MS = 30_000
/** The vendors answer at most 31 days a page. */
const MAX_PAGES = 40
const PAGE_DAYS = '31'

type Report = { readonly name: string; readonly path: string; readonly query: readonly (readonly [string, string])[] }
type Api = {
  readonly address: string
  readonly headers: (key: string) => Readonly<Record<string, string>>
  readonly reports: (days: Days) => readonly Report[]
}
type Days = { readonly start: number; readonly end: number }

const iso = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z')

const APIS: Readonly<Record<FetchedInvoice['vendor'], Api>> = {
  // https://platform.openai.com/docs/api-reference/usage
  openai: {
    address: 'https://api.openai.com',
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    reports: ({ start, end }) => {
      const span = [
        ['start_time', String(start)],
        ['end_time', String(end)],
        ['bucket_width', '1d'],
        ['limit', PAGE_DAYS],
        ['group_by', 'project_id'],
      ] as const
      return [
        { name: 'usage', path: '/v1/organization/usage/completions', query: [...span, ['group_by', 'model']] },
        { name: 'embeddings', path: '/v1/organization/usage/embeddings', query: [...span, ['group_by', 'model']] },
        { name: 'costs', path: '/v1/organization/costs', query: [...span, ['group_by', 'line_item']] },
      ]
    },
  },
  // https://platform.claude.com/docs/en/api/usage-cost-api
  anthropic: {
    address: 'https://api.anthropic.com',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    reports: ({ start, end }) => {
      const span = [
        ['starting_at', iso(start)],
        ['ending_at', iso(end)],
        ['bucket_width', '1d'],
        ['limit', PAGE_DAYS],
        ['group_by[]', 'workspace_id'],
      ] as const
      return [
        { name: 'usage', path: '/v1/organizations/usage_report/messages', query: [...span, ['group_by[]', 'model']] },
        { name: 'costs', path: '/v1/organizations/cost_report', query: [...span, ['group_by[]', 'description']] },
      ]
    },
  },
}

const Page = z.object({ has_more: z.boolean().nullish(), next_page: z.string().max(2000).nullish() })

/** The reports of a vendor as files. The key is sent to the vendor and kept nowhere. */
export async function fetchReports(deps: Deps, { vendor, key, address, first_day, last_day }: FetchedInvoice): Promise<InvoiceFile[]> {
  const api = APIS[vendor]
  const base = (address === '' ? api.address : address).replace(/\/+$/, '')
  if (!URL.canParse(base)) throw new AppError('invoice.fetch', { reason: 'not a URL' })
  const files: InvoiceFile[] = []
  const days = { start: Date.parse(first_day) / 1000, end: Date.parse(last_day) / 1000 + DAY_SECONDS }
  let length = 0
  for (const { name, path, query } of api.reports(days)) {
    let next: string | undefined
    for (let nth = 1; nth <= MAX_PAGES; nth += 1) {
      const asked = new URLSearchParams(query.map(([field, value]): [string, string] => [field, value]))
      if (next !== undefined) asked.set('page', next)
      const text = await fetchPage(deps, { url: `${base}${path}?${asked.toString()}`, headers: api.headers(key) })
      files.push({ name: `${name} ${nth}`, text })
      length += text.length
      if (length > MAX_INVOICE_CHARACTERS) throw tooLarge()
      next = nextPageOf(text)
      if (next === undefined) break
    }
    if (next !== undefined) throw tooLarge()
  }
  return files
}

function nextPageOf(text: string): string | undefined {
  const page = Page.safeParse(parsed(text)).data
  if (page === undefined) throw new AppError('invoice.fetch', { reason: 'not a report' })
  return page.has_more === true ? (page.next_page ?? undefined) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Call = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

async function fetchPage({ outbound }: Deps, call: Call): Promise<string> {
  const answer = await outbound
    .request({ ...call, timeoutMs: TIMEOUT_MS, maxBytes: MAX_INVOICE_CHARACTERS, poolKey: 'vendor-invoices' })
    .catch((cause: unknown) => {
      // The message may contain internal addresses, so only the kind of failure is reported.
      throw new AppError('invoice.fetch', { reason: cause instanceof OutboundError ? cause.failure : 'error' }, { cause })
    })
  if (answer.status !== 200) throw new AppError('invoice.fetch', { reason: `HTTP ${answer.status}` })
  return answer.body.toString('utf8')
}
