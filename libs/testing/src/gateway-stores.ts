import { createConnection } from 'mysql2/promise'
import postgres from 'postgres'
import { gatewayStatements, type Tables } from './gateway-database.ts'

/** Writes the tables into a Postgres database, whose tables it replaces. */
export async function fillPostgres(url: string, tables: Tables): Promise<void> {
  await runOnEmpty(url, gatewayStatements('postgres', tables))
}

/** Empties a Postgres database and runs the statements. */
export async function runOnEmpty(url: string, statements: Iterable<string>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  await sql.unsafe('drop schema public cascade; create schema public')
  for (const statement of statements) await sql.unsafe(statement)
  await sql.end()
}

/** Creates a database of this name on a MariaDB server, with the tables. */
export async function fillMysql(serverUrl: string, name: string, tables: Tables): Promise<void> {
  await runOnMysql(serverUrl, name, gatewayStatements('mysql', tables))
}

/** Creates a database of this name on a MariaDB server and runs the statements in it. */
export async function runOnMysql(serverUrl: string, name: string, statements: Iterable<string>): Promise<void> {
  const connection = await createConnection(serverUrl)
  await connection.query(`create database ${name} character set utf8mb4`)
  await connection.query(`use ${name}`)
  for (const statement of statements) await connection.query(statement)
  await connection.end()
}
