import type { texts as channels } from './zh/channels.ts'
import type { texts as common } from './zh/common.ts'
import type { texts as display } from './zh/display.ts'
import type { texts as errors } from './zh/errors.ts'
import type { texts as home } from './zh/home.ts'
import type { texts as logs } from './zh/logs.ts'
import type { texts as setup } from './zh/setup.ts'
import type { texts as shell } from './zh/shell.ts'
import type { texts as signIn } from './zh/sign-in.ts'
import type { texts as tokens } from './zh/tokens.ts'

/** Every namespace: a file of the same name in `zh/` (the source) and in `en/` (the same keys). Add a line per feature. */
export type Resources = {
  readonly channels: typeof channels
  readonly common: typeof common
  readonly display: typeof display
  readonly errors: typeof errors
  readonly home: typeof home
  readonly logs: typeof logs
  readonly setup: typeof setup
  readonly shell: typeof shell
  readonly 'sign-in': typeof signIn
  readonly tokens: typeof tokens
}

export type Namespace = keyof Resources

/** The shape an English namespace must have: the same keys as the Chinese source (nested where that is nested), any text. */
export type Texts<Source> = { readonly [Key in keyof Source]: Source[Key] extends string ? string : Texts<Source[Key]> }

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    keySeparator: '.'
    nsSeparator: ':'
    returnNull: false
    resources: Resources
  }
}
