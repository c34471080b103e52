import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '@tollgate/contracts/endpoints'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import { expect, it } from 'vitest'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Names of the budgets that the services make. */
function namesInCode(): string[] {
  const files = globSync(['services/*/src/**/*.ts', 'libs/*/src/**/*.ts'], { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  return files.flatMap((file) => {
    const text = read(file)
    const makesBudgets = /import \{[^}]*\bBudget\b[^}]*\} from '@tollgate\/shares\/budget'/.test(text) && text.includes('new Budget(')
    return makesBudgets ? [...text.matchAll(/\bname: '([a-z_]+)'/g)].map(([, name]) => name ?? '') : []
  })
}

it('has a row for every budget of long or large work', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name ?? '')
  const names = namesInCode()

  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !rows.includes(name))).toEqual([])
})

/**
 * Every kind of long or large work that a client can cause, and the budgets that it takes from. A kind that is found in the code and
 * missing here fails below.
 */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  'console: reads of many rows': ['heavy_reads'],
  'console: files': ['exports'],
  'console: answers of models': ['playground_calls'],
  'console and SCIM: changes of organisations': ['organisation_changes'],
  'control plane: pieces of files and background responses': ['stored_pieces'],
  'relay: calls of the console': ['passed_bytes', 'passed_calls', 'passed_uploads', 'passed_playground'],
  'relay: media of prompts': ['media_downloads', 'user_look_ups', 'system_look_ups'],
  'relay: calls of vendors': ['look_ups'],
  'relay: background responses': ['stored_bodies'],
  'relay: long bodies of one user': ['paced_bodies'],
  'worker: deliveries': ['mails', 'webhooks', 'events'],
}

/** Endpoints that answer something else than a small JSON document, or take a large body. */
const kindOf = (endpoint: Endpoint): string | undefined => {
  if (endpoint.load === 'heavy') return 'console: reads of many rows'
  if (endpoint.path.startsWith('/pg/')) return 'console: answers of models'
  if (endpoint.path.endsWith('/export')) return 'console: files'
  return undefined
}

it('knows a budget of every long or large operation, and no other budgets exist', () => {
  expect(Object.values(OPERATIONS).flat().toSorted()).toEqual(namesInCode().toSorted())
})

it('knows the kind of every endpoint with a long answer or a large body', () => {
  const long = endpoints.filter(({ answer, bodyLimit }) => bodyLimit !== undefined || answer instanceof z.ZodString)
  const kinds = new Set(endpoints.map(kindOf).filter((kind) => kind !== undefined))

  expect(long.filter((endpoint) => kindOf(endpoint) === undefined).map(({ path }) => path)).toEqual([])
  expect([...kinds].filter((kind) => OPERATIONS[kind] === undefined)).toEqual([])
})

it('streams only answers that hold a share', () => {
  const files = globSync('services/control-plane/src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  const streaming = files.filter((file) => read(file).includes('new ReadableStream')).toSorted()

  // The last one is passed on by the routes of the playground, which hold its share.
  expect(streaming).toEqual(
    ['csv.ts', 'long-answer.ts', 'resources/playground/forward.ts'].map((file) => `services/control-plane/src/${file}`),
  )
  expect(read('services/control-plane/src/csv.ts')).toContain('holdWhileRead(')
  expect(read('services/control-plane/src/resources/playground/routes.ts')).toContain('holdWhileRead(')
})
