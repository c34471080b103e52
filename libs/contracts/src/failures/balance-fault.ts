import type { Fault } from './fault.ts'

export const BALANCE_PROBLEMS = ['missing', 'unsupported', 'currency', 'code', 'status', 'network', 'malformed'] as const
export type BalanceProblem = (typeof BALANCE_PROBLEMS)[number]

type Problem = { readonly problem?: BalanceProblem | undefined; readonly detail: string; readonly status: number }

/** Why a balance could not be read, as an error. */
export function balanceFault({ problem, detail, status }: Problem): Fault {
  switch (problem) {
    case 'missing':
      return { code: 'record.missing' }
    case 'unsupported':
      return { code: 'balance.unsupported' }
    case 'currency':
      return { code: 'balance.currency' }
    case 'status':
      return { code: 'channels.fetch-status', params: { status } }
    case 'network':
      return { code: 'channels.fetch-network', params: { detail } }
    case 'code':
      return { code: 'balance.code', params: codeOf(detail) }
    case 'malformed':
    case undefined:
      return { code: 'channels.fetch-parse', params: { detail } }
  }
}

/** The vendor's own code and text, from `code: 30001, message: …`. */
function codeOf(detail: string): { code: string; detail: string } {
  const [, code = '', text = ''] = /^code: (\S*), message: (.*)$/s.exec(detail) ?? []
  return { code, detail: text }
}
