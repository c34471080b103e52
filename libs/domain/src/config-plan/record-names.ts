import { BUDGET_WINDOWS, type BudgetWindow } from '@tollgate/contracts/pricing/budget-names'

const ACCOUNTS = ['user', 'organisation', 'group'] as const
const PARTS = ['project', 'member', 'token'] as const

/** A project, token or budget by the names of what it belongs to. */
export type RecordRef = {
  readonly account: { readonly kind: (typeof ACCOUNTS)[number]; readonly name: string }
  readonly part?: { readonly kind: (typeof PARTS)[number]; readonly name: string } | undefined
  /** Only a budget has one. */
  readonly window?: BudgetWindow | undefined
}

/** Such as `organisation:Acme/project:Web/day`. A slash inside of a name is written as %2F. */
export function encodeRef({ account, part, window }: RecordRef): string {
  const parts = [account, ...(part === undefined ? [] : [part])].map(({ kind, name }) => `${kind}:${escape(name)}`)
  return [...parts, ...(window === undefined ? [] : [window])].join('/')
}

/** undefined: no such name. */
export function decodeRef(text: string): RecordRef | undefined {
  const [first = '', ...rest] = text.split('/')
  const window = BUDGET_WINDOWS.find((one) => one === rest.at(-1))
  const [second, ...more] = window === undefined ? rest : rest.slice(0, -1)
  const account = decodePart(ACCOUNTS, first)
  const part = second === undefined ? undefined : decodePart(PARTS, second)
  if (account === undefined || more.length > 0 || (second !== undefined && part === undefined)) return undefined
  return { account, ...(part === undefined ? {} : { part }), ...(window === undefined ? {} : { window }) }
}

function decodePart<Kind extends string>(kinds: readonly Kind[], text: string): { kind: Kind; name: string } | undefined {
  const at = text.indexOf(':')
  const kind = kinds.find((one) => one === text.slice(0, at))
  return kind === undefined
    ? undefined
    : {
        kind,
        name: text
          .slice(at + 1)
          .replaceAll('%2F', '/')
          .replaceAll('%25', '%'),
      }
}

const escape = (name: string): string => name.replaceAll('%', '%25').replaceAll('/', '%2F')
