import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openMysql } from './mysql.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Connect, Store } from './store.ts'

/** Opens `postgres://…`, `mysql://…`, `mariadb://…`, `sqlite:PATH` or a path. */
export async function openStore(address: string, connect?: Connect): Promise<Store> {
  if (/^postgres(ql)?:\/\//i.test(address)) return await openPostgres(address, connect)
  if (/^(mysql|mariadb):\/\//i.test(address)) return await openMysql(address, connect)
  const path = pathOf(address)
  // A missing file would otherwise be reported by SQLite without its name.
  await stat(path)
  return openSqlite(path)
}

export function pathOf(address: string): string {
  if (address.startsWith('file://')) return fileURLToPath(address)
  return address.replace(/^(?:sqlite3?|file):(?:\/\/(?=\/))?/, '')
}
