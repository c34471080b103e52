import { AppError } from '@tollgate/contracts/app-error'
import type { Release } from '@tollgate/contracts/resources/status'
import { request } from '@tollgate/outbound/request'
import { visible } from '@tollgate/telemetry/visible'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 256 * 1024
const MAX_NOTES = 4000

const Feed = z.object({ tag_name: z.string().min(1).max(100), html_url: z.string().max(500).default(''), body: z.string().nullish() })

/** Asks the release feed of the environment; without one nothing is called. */
export async function readRelease({ env, outbound, log, version: running }: Deps): Promise<Release> {
  if (env.RELEASE_FEED_URL === '') throw new AppError('release.off')
  try {
    const answer = await request(outbound, {
      url: env.RELEASE_FEED_URL,
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    if (answer.status !== 200) throw new Error(`the release feed answered ${answer.status}`)
    const { tag_name, html_url, body } = Feed.parse(JSON.parse(answer.body.toString('utf8')))
    const version = visible(tag_name.replace(/^v/, ''), 100)
    const url = /^https?:\/\//i.test(html_url) ? html_url : ''
    return { version, url, notes: (body ?? '').slice(0, MAX_NOTES), is_newer: isNewer(version, running) }
  } catch (cause) {
    log.warn({ err: cause }, 'The release feed could not be read')
    throw new AppError('release.failed', {}, { cause })
  }
}

/** Compares `1.2.3` by number; a pre-release (`1.2.3-rc.1`) is older than its release. */
export function isNewer(version: string, running: string): boolean {
  const [theirs, ours] = [partsOf(version), partsOf(running)]
  for (let at = 0; at < 3; at += 1) {
    const difference = (theirs.numbers[at] ?? 0) - (ours.numbers[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  if (theirs.suffix === ours.suffix) return false
  if (theirs.suffix === '' || ours.suffix === '') return theirs.suffix === ''
  return theirs.suffix.localeCompare(ours.suffix, 'en', { numeric: true }) > 0
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly suffix: string } {
  const [core = '', ...rest] = (version.split('+')[0] ?? '').split('-')
  return { numbers: core.split('.').map((part) => Number.parseInt(part, 10) || 0), suffix: rest.join('-') }
}
