import type { AffinityRule } from '@tollgate/contracts/channels/affinity-rules'
import { SESSION_HEADERS } from '@tollgate/domain/channel-choice/affinity-key'
import { headersOfRules } from '@tollgate/domain/channel-choice/affinity-rules'
import type { RequestContext } from './context.ts'

/** The client's headers that these rules ask for, and those that agents name their sessions in. */
export function affinityHeaders({ incoming }: RequestContext, rules: readonly AffinityRule[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...SESSION_HEADERS, ...headersOfRules(rules)].flatMap((name) => {
      const value = incoming.headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )
}
