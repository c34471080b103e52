import type { Log } from '@tollgate/contracts/resources/logs'
import { otherOf } from './log-other.ts'

/** The texts of the reasons of the error table. Reasons without one have those of `other`. */
const KEYS = {
  'token.disabled': 'token-disabled',
  'token.expired': 'token-expired',
  'token.exhausted': 'token-empty',
  'token.empty': 'token-empty',
  'quota.token-short': 'token-short',
  'user.disabled': 'user-disabled',
  'access.ip': 'ip',
  'access.forwarded': 'other',
  'access.channel-pin': 'channel-pin',
  'access.channel-invalid': 'channel-pin',
  'access.channel-disabled': 'channel-pin',
  'access.group-disabled': 'group',
  'access.group-gone': 'group',
  'access.model': 'model-not-allowed',
  'access.no-model': 'model-not-allowed',
  'model.unknown': 'model-unknown',
  'model.unpriced': 'model-unpriced',
  'model.unpriced-tier': 'model-unpriced',
  'channel.none': 'channel-none',
  'quota.user-empty': 'quota-user',
  'quota.user-short': 'quota-short',
  'quota.user-held': 'quota-short',
  'quota.user-held-some': 'quota-short',
  'quota.token-held': 'token-short',
  'quota.token-held-some': 'token-short',
  'budget.reached': 'budget',
  'budget.reached-total': 'budget',
  'budget.restarting': 'budget',
  'budget.held': 'budget',
  'rate.requests': 'rate-model',
  'rate.total': 'rate-model',
  'rate.minute-requests': 'rate-minute',
  'rate.minute-tokens': 'rate-tokens',
  'rate.open-requests': 'rate-open',
  'content.sensitive': 'sensitive',
  'request.too-large': 'too-large',
  'request.invalid': 'bad-body',
  'request.field': 'bad-body',
  'model.missing': 'bad-body',
  'params.too-deep': 'bad-body',
  'request.slow': 'slow-body',
  'request.busy': 'busy',
  'request.share': 'busy',
  'ledger.cold': 'busy',
  'ledger.closed': 'busy',
  'ledger.unavailable': 'busy',
  'ledger.backlog': 'busy',
  'gateway.stopping': 'busy',
  'response.previous-missing': 'response-missing',
  'response.item-missing': 'response-missing',
  'response.missing': 'response-missing',
  'route.unimplemented': 'route',
  internal: 'internal',
} as const

export type RefusalKey = (typeof KEYS)[keyof typeof KEYS]

const KEY_OF = new Map<string, RefusalKey>(Object.entries(KEYS))

export const refusalKey = (reason: string | undefined): RefusalKey => KEY_OF.get(reason ?? '') ?? 'other'

type Value = string | number
type Name = 'model' | 'group' | 'token' | 'reason' | 'have' | 'need' | 'limit' | 'of' | 'detail' | 'amount' | 'window'

/** Values for the texts about a refusal. */
export function refusalValues(log: Log, language: string): Readonly<Record<Name, Value>> {
  const { params = {}, requested_model, reason = '' } = otherOf(log)
  const valueOf = (name: string): Value => {
    const value = params[name] ?? ''
    return typeof value === 'object' ? value[language === 'en' ? 'en' : 'zh'] : value
  }
  const [have, need, limit, of, detail] = [valueOf('have'), valueOf('need'), valueOf('limit'), valueOf('of'), valueOf('detail')]
  const model = requested_model ?? (valueOf('model') || log.model_name)
  const shared = { model, group: log.group, token: log.token_name, reason, have, need, limit, of, detail }
  return { ...shared, amount: valueOf('amount'), window: valueOf('window') }
}

/** The model's place in lists; for a request whose body was not read, its path. */
export const shownModel = (log: Log): string => (askedModel(log) === '' ? (otherOf(log).client?.path ?? '') : askedModel(log))

/** The model that a refused request asked for; empty when its body was not read. */
export const askedModel = (log: Log): string => otherOf(log).requested_model ?? log.model_name
