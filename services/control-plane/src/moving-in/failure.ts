import { AppError } from '@tollgate/contracts/app-error'
import type { ErrorParams } from '@tollgate/contracts/errors/params'
import type { ErrorCode } from '@tollgate/contracts/errors'
import { UnreadableConfig } from '@tollgate/moving-in/litellm/config-file'
import { UnknownSchema } from '@tollgate/moving-in/open-source'
import { DamagedSource } from '@tollgate/moving-in/stores/damaged-source'

export type Failure = { readonly code: ErrorCode; readonly params: ErrorParams }

/** Codes of the drivers: Postgres' SQLSTATE, names of MariaDB, of sockets and of SQLite. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  '28P01': 'import.denied',
  '28000': 'import.denied',
  '42501': 'import.denied',
  ER_ACCESS_DENIED_ERROR: 'import.denied',
  ER_DBACCESS_DENIED_ERROR: 'import.denied',
  ER_TABLEACCESS_DENIED_ERROR: 'import.denied',
  '3D000': 'import.no-database',
  ER_BAD_DB_ERROR: 'import.no-database',
  ECONNREFUSED: 'import.unreachable',
  ECONNRESET: 'import.unreachable',
  ENOTFOUND: 'import.unreachable',
  EAI_AGAIN: 'import.unreachable',
  EHOSTUNREACH: 'import.unreachable',
  ENETUNREACH: 'import.unreachable',
  ETIMEDOUT: 'import.unreachable',
  PROTOCOL_CONNECTION_LOST: 'import.unreachable',
  CONNECT_TIMEOUT: 'import.unreachable',
  CONNECTION_CLOSED: 'import.unreachable',
  ENOENT: 'import.source-gone',
  ERR_SQLITE_ERROR: 'import.file-damaged',
}

/** Why an import failed, in a code: texts of drivers can hold parts of an address. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AppError) return { code: error.code, params: error.params }
  if (error instanceof DamagedSource) return { code: 'import.file-damaged', params: {} }
  if (error instanceof UnreadableConfig) return { code: 'import.file-kind', params: {} }
  if (error instanceof UnknownSchema) return { code: 'import.unknown-schema', params: {} }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (CODES[code] !== undefined) return { code: CODES[code], params: {} }
  return { code: 'import.failed', params: {} }
}

/** A text of an error without the account and the password of the address. */
export function withoutSecrets(text: string, address: string): string {
  const url = URL.parse(address)
  if (url === null) return text
  const secrets = [url.password, decode(url.password), url.username, decode(url.username)].filter((part) => part.length > 2)
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text.replaceAll(address, '***'))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
