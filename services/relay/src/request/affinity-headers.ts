import { headersOfRules } from '@tollgate/domain/channel-choice/affinity-rules'
import type { Settings } from '../config/settings.ts'
import type { RequestContext } from './context.ts'

const NONE: Readonly<Record<string, string>> = {}

/** The client's headers that rules of affinity may ask for. */
export function affinityHeaders(
  { incoming }: Pick<RequestContext, 'incoming'>,
  { affinity_rules }: Pick<Settings, 'affinity_rules'>,
): Readonly<Record<string, string>> {
  if (affinity_rules.length === 0) return NONE
  return Object.fromEntries(
    headersOfRules(affinity_rules).flatMap((name) => {
      const value = incoming.headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )
}
