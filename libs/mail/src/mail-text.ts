import type { MailTemplate, MailValues } from '@tollgate/contracts/texts/mails'

/** A part of a mail. A code is shown large; a link is a button in HTML and an address in plain text. */
export type Block = { readonly text: string } | { readonly code: string } | { readonly link: string; readonly label: string }

export type MailText = { readonly subject: string; readonly blocks: readonly Block[] }

export type Site = {
  readonly name: string
  /** Without a slash at the end. */
  readonly address: string
}

/** Secrets that the worker creates for a mail when it sends it. */
type Secrets = {
  readonly verification: { readonly code: string }
  readonly reset: { readonly link: string }
  readonly 'notification-code': { readonly code: string }
}
export type Secret<Template extends MailTemplate> = Template extends keyof Secrets ? Secrets[Template] : Readonly<Record<never, string>>

/** The texts of one language. `minutes` is the validity of codes and links. */
export type MailTexts = {
  readonly [Template in MailTemplate]: (values: MailValues<Template> & Secret<Template>, site: Site, minutes: number) => MailText
} & {
  /** Last line of every mail. */
  readonly footer: (site: Site) => string
}

/** The page that shows a budget: of an account the wallet's. */
export function budgetPage(name: string, scope: string | undefined): string {
  if (name === '') return 'topup'
  return scope === 'project' || scope === 'member' ? 'organisation' : 'token'
}
