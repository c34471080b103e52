/** https://www.rfc-editor.org/rfc/rfc7644#section-3.12 */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'

/** A refusal in SCIM's own words; its text is for the operator of the identity provider. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, detail: string, scimType?: ScimType, options?: { readonly cause?: unknown }) {
    super(detail, options)
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
  }
}
