import type { JsonObject } from '../json.ts'

/** Beta features of Anthropic's API that another host of its models knows. */
export type KnownBetas = {
  /** Beginnings of names, before their dates; betas of other names are left out. */
  readonly names: readonly string[]
  /** The host also reads them from the body, as `anthropic_beta`. */
  readonly inBody: boolean
}

/** Fields that exist only with a beta: https://platform.claude.com/docs/en/api/beta-headers (read 2026-11-27) */
const FIELDS: Readonly<Record<string, string>> = {
  context_management: 'context-management-',
  mcp_servers: 'mcp-client-',
  container: 'skills-',
  thread: 'message-threads-',
  fallbacks: 'server-side-fallback-',
  speed: 'fast-mode-',
  diagnostics: 'diagnostics-',
}

/** The betas of a header that the host knows. */
export function keptBetas({ names }: KnownBetas, header: string | undefined): readonly string[] {
  const given = (header ?? '').split(',').map((name) => name.trim())
  return [...new Set(given)].filter((name) => names.some((known) => name.toLowerCase().startsWith(known)))
}

/** The body with the betas that the host reads there, and without the fields of those that it does not know. */
export function withBetas(known: KnownBetas, betas: readonly string[], body: JsonObject): JsonObject {
  const { anthropic_beta: _given, ...rest } = body
  const kept = Object.fromEntries(Object.entries(rest).filter(([field]) => isKnown(known, field)))
  return known.inBody && betas.length > 0 ? { ...kept, anthropic_beta: betas } : kept
}

/** The fields of a body that `withBetas` leaves out. */
export const fieldsWithoutBeta = (known: KnownBetas, body: JsonObject): string[] =>
  Object.keys(body).filter((field) => !isKnown(known, field))

function isKnown({ names }: KnownBetas, field: string): boolean {
  const needed = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined
  return needed === undefined || names.some((name) => name.startsWith(needed))
}
