const CORE = 'urn:ietf:params:scim:schemas:core:2.0:'
export const USER_SCHEMA = `${CORE}User`
export const GROUP_SCHEMA = `${CORE}Group`
export const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0:'

/** One attribute in the form that `/Schemas` announces: https://www.rfc-editor.org/rfc/rfc7643#section-7 */
export type Attribute = {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'reference' | 'complex'
  readonly description: string
  readonly multiValued: boolean
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readWrite' | 'readOnly' | 'immutable'
  readonly returned: 'default'
  readonly uniqueness: 'none' | 'server'
  readonly referenceTypes?: readonly string[]
  readonly canonicalValues?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

type Given = Partial<Attribute> & Pick<Attribute, 'name' | 'description'>

const attribute = (given: Given): Attribute => ({
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...given,
})

export type Schema = {
  readonly id: string
  readonly name: 'User' | 'Group'
  readonly description: string
  readonly attributes: readonly Attribute[]
  /** Attributes of the standard that are accepted and not kept. */
  readonly ignored: ReadonlySet<string>
}

const externalId = attribute({ name: 'externalId', description: 'Id at the identity provider', caseExact: true })

const REFERENCE = { type: 'reference', mutability: 'readOnly' } as const

export const userSchema: Schema = {
  id: USER_SCHEMA,
  name: 'User',
  description: 'A person of the organisation',
  attributes: [
    attribute({ name: 'userName', description: 'Name at the identity provider', required: true, uniqueness: 'server' }),
    attribute({
      name: 'name',
      description: 'Parts of the name',
      type: 'complex',
      subAttributes: [
        attribute({ name: 'formatted', description: 'Whole name' }),
        attribute({ name: 'familyName', description: 'Family name' }),
        attribute({ name: 'givenName', description: 'Given name' }),
      ],
    }),
    attribute({ name: 'displayName', description: 'Shown name' }),
    attribute({ name: 'active', description: 'Whether the person is a member', type: 'boolean' }),
    attribute({
      name: 'emails',
      description: 'E-mail addresses; the primary one is used',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute({ name: 'value', description: 'Address' }),
        attribute({ name: 'type', description: 'Kind', canonicalValues: ['work', 'home', 'other'] }),
        attribute({ name: 'primary', description: 'Whether it is the primary one', type: 'boolean' }),
      ],
    }),
    attribute({
      name: 'groups',
      description: 'Groups of the person',
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        attribute({ name: 'value', description: 'Id of the group', mutability: 'readOnly' }),
        attribute({ name: '$ref', description: 'Address of the group', ...REFERENCE, referenceTypes: ['Group'] }),
        attribute({ name: 'display', description: 'Name of the group', mutability: 'readOnly' }),
      ],
    }),
    externalId,
  ],
  ignored: new Set(
    [
      'nickName',
      'profileUrl',
      'title',
      'userType',
      'preferredLanguage',
      'locale',
      'timezone',
      'password',
      'phoneNumbers',
      'ims',
      'photos',
      'addresses',
      'entitlements',
      'roles',
      'x509Certificates',
    ].map((name) => name.toLowerCase()),
  ),
}

export const groupSchema: Schema = {
  id: GROUP_SCHEMA,
  name: 'Group',
  description: 'A group, to which the organisation can give a role',
  attributes: [
    attribute({ name: 'displayName', description: 'Name of the group', required: true, uniqueness: 'server' }),
    attribute({
      name: 'members',
      description: 'People in the group',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute({ name: 'value', description: 'Id of the person', mutability: 'immutable' }),
        attribute({
          name: '$ref',
          description: 'Address of the person',
          type: 'reference',
          mutability: 'immutable',
          referenceTypes: ['User'],
        }),
        attribute({ name: 'type', description: 'Kind', mutability: 'immutable', canonicalValues: ['User'] }),
      ],
    }),
    externalId,
  ],
  ignored: new Set(),
}

export type Resource = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Names are compared without case: https://www.rfc-editor.org/rfc/rfc7643#section-2.1 */
export function attributeOf(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase()
  return attributes.find((one) => one.name.toLowerCase() === wanted)
}
