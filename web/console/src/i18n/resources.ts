import type { texts as about } from './zh/about.ts'
import type { texts as audit } from './zh/audit.ts'
import type { texts as budgets } from './zh/budgets.ts'
import type { texts as channelBatch } from './zh/channel-batch.ts'
import type { texts as channelFiles } from './zh/channel-files.ts'
import type { texts as channelForecast } from './zh/channel-forecast.ts'
import type { texts as channelKeys } from './zh/channel-keys.ts'
import type { texts as channelRuns } from './zh/channel-runs.ts'
import type { texts as channels } from './zh/channels.ts'
import type { texts as chat } from './zh/chat.ts'
import type { texts as common } from './zh/common.ts'
import type { texts as dashboard } from './zh/dashboard.ts'
import type { texts as deliveries } from './zh/deliveries.ts'
import type { texts as display } from './zh/display.ts'
import type { texts as endpoints } from './zh/endpoints.ts'
import type { texts as errors } from './zh/errors.ts'
import type { texts as health } from './zh/health.ts'
import type { texts as home } from './zh/home.ts'
import type { texts as invoices } from './zh/invoices.ts'
import type { texts as logs } from './zh/logs.ts'
import type { texts as movingIn } from './zh/moving-in.ts'
import type { texts as organisations } from './zh/organisations.ts'
import type { texts as palette } from './zh/palette.ts'
import type { texts as paramOverride } from './zh/param-override.ts'
import type { texts as payments } from './zh/payments.ts'
import type { texts as personal } from './zh/personal.ts'
import type { texts as receipts } from './zh/receipts.ts'
import type { texts as registration } from './zh/registration.ts'
import type { texts as redemptions } from './zh/redemptions.ts'
import type { texts as prices } from './zh/prices.ts'
import type { texts as priceTools } from './zh/price-tools.ts'
import type { texts as pricing } from './zh/pricing.ts'
import type { texts as refusals } from './zh/refusals.ts'
import type { texts as security } from './zh/security.ts'
import type { texts as playground } from './zh/playground.ts'
import type { texts as settings } from './zh/settings.ts'
import type { texts as options } from './zh/options.ts'
import type { texts as setup } from './zh/setup.ts'
import type { texts as shell } from './zh/shell.ts'
import type { texts as signIn } from './zh/sign-in.ts'
import type { texts as snippets } from './zh/snippets.ts'
import type { texts as thirdParty } from './zh/third-party.ts'
import type { texts as statement } from './zh/statement.ts'
import type { texts as tasks } from './zh/tasks.ts'
import type { texts as tokens } from './zh/tokens.ts'
import type { texts as users } from './zh/users.ts'
import type { texts as wallet } from './zh/wallet.ts'
import type { texts as whatIf } from './zh/what-if.ts'

/** Every namespace: a file of the same name in `zh/` (the source) and in `en/` (the same keys). Add a line per feature. */
export type Resources = {
  readonly about: typeof about
  readonly audit: typeof audit
  readonly budgets: typeof budgets
  readonly 'channel-batch': typeof channelBatch
  readonly 'channel-files': typeof channelFiles
  readonly 'channel-forecast': typeof channelForecast
  readonly 'channel-keys': typeof channelKeys
  readonly 'param-override': typeof paramOverride
  readonly 'channel-runs': typeof channelRuns
  readonly channels: typeof channels
  readonly chat: typeof chat
  readonly common: typeof common
  readonly dashboard: typeof dashboard
  readonly deliveries: typeof deliveries
  readonly display: typeof display
  readonly endpoints: typeof endpoints
  readonly errors: typeof errors
  readonly health: typeof health
  readonly home: typeof home
  readonly invoices: typeof invoices
  readonly logs: typeof logs
  readonly 'moving-in': typeof movingIn
  readonly organisations: typeof organisations
  readonly palette: typeof palette
  readonly payments: typeof payments
  readonly personal: typeof personal
  readonly redemptions: typeof redemptions
  readonly prices: typeof prices
  readonly 'price-tools': typeof priceTools
  readonly pricing: typeof pricing
  readonly refusals: typeof refusals
  readonly options: typeof options
  readonly security: typeof security
  readonly receipts: typeof receipts
  readonly registration: typeof registration
  readonly playground: typeof playground
  readonly settings: typeof settings
  readonly setup: typeof setup
  readonly shell: typeof shell
  readonly 'sign-in': typeof signIn
  readonly snippets: typeof snippets
  readonly 'third-party': typeof thirdParty
  readonly statement: typeof statement
  readonly tasks: typeof tasks
  readonly tokens: typeof tokens
  readonly users: typeof users
  readonly wallet: typeof wallet
  readonly 'what-if': typeof whatIf
}

export type Namespace = keyof Resources

/**
 * The shape an English namespace must have: the keys of the Chinese source (nested where that is nested), any text. Chinese has one
 * plural form, so its `x_other` is `x_one` and `x_other` here.
 */
export type Texts<Source> = {
  readonly [Key in keyof Source as WithPlurals<Key>]: Source[Key] extends string ? string : Texts<Source[Key]>
}
type WithPlurals<Key> = Key extends `${infer Name}_other` ? `${Name}_one` | `${Name}_other` : Key

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    keySeparator: '.'
    nsSeparator: ':'
    returnNull: false
    resources: Resources
  }
}
