import { groupSchema, MESSAGES, userSchema, type Resource, type Schema } from '@tollgate/domain/scim/schema'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:'
export const MAX_RESULTS = 200

export const listOf = (resources: readonly Resource[], total: number, startIndex: number): Resource => ({
  schemas: [`${MESSAGES}ListResponse`],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** Features of the server: https://www.rfc-editor.org/rfc/rfc7643#section-5 */
export const providerConfig = (base: string): Resource => ({
  schemas: [`${CORE}ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token that an owner of the organisation has made',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

export const resourceTypes = (base: string): Resource[] =>
  [userSchema, groupSchema].map(({ id, name, description }) => ({
    schemas: [`${CORE}ResourceType`],
    id: name,
    name,
    description,
    endpoint: `/${name}s`,
    schema: id,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))

export const schemas = (base: string): Resource[] =>
  [userSchema, groupSchema].map(({ id, name, description, attributes }: Schema) => ({
    schemas: [`${CORE}Schema`],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }))
