import { createActors } from './console/actors.ts'
import type { Secrets } from './secrets.ts'
import type { Target } from './target.ts'

const RECEIPTS = 100
/** The longest that a caller waits for the export. */
const EXPORT_MS = 20_000

type Documents = {
  readonly problems: readonly string[]
  readonly receipts: number
  readonly export_bytes: number
  readonly export_ms: number
}

/** Makes what log rows are made into: receipts of the newest ones, and the FOCUS export of the month. */
export async function auditDocuments(target: Target, secrets: Secrets): Promise<Documents> {
  const { id: user, accessToken } = (await createActors(target, secrets)).get('root')
  const get = async (path: string): Promise<{ status: number; text: string }> => {
    const headers = { authorization: `Bearer ${accessToken}`, 'new-api-user': String(user) }
    const answer = await fetch(target.controlPlaneUrl + path, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  const problems: string[] = []
  let receipts = 0
  const rows = await target.db
    .selectFrom('logs')
    .select(['id', 'created_at'])
    .where('state', '<>', '')
    .orderBy('id', 'desc')
    .limit(RECEIPTS)
    .execute()
  for (const { id, created_at } of rows) {
    const { status, text } = await get(`/api/log/${id}/receipt?created_at=${created_at}`)
    if (text.includes('"jws"')) receipts += 1
    if (status >= 500) problems.push(`the receipt of row ${id} is ${status}: ${text.slice(0, 200)}`)
  }
  const started = performance.now()
  const { status, text } = await get('/api/log/focus/export?month=')
  const export_ms = Math.round(performance.now() - started)
  if (status !== 200) problems.push(`the FOCUS export is ${status}: ${text.slice(0, 200)}`)
  if (export_ms > EXPORT_MS) problems.push(`the FOCUS export of ${text.length} bytes took ${export_ms} ms`)
  return { problems, receipts, export_bytes: text.length, export_ms }
}
