import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { ControlPlaneEnv, MigrateEnv, RelayEnv, WorkerEnv } from '../../libs/config/src/env.ts'
import { LauncherEnv } from '../../libs/config/src/launcher-env.ts'
import { code, page, table } from './markdown.ts'

const SHAPES: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  launcher: LauncherEnv.shape,
  relay: RelayEnv.shape,
  'control plane': ControlPlaneEnv.shape,
  worker: WorkerEnv.shape,
  migration: MigrateEnv.shape,
}

const config = join(import.meta.dirname, '../../libs/config/src')
const sources = ['env.ts', 'launcher-env.ts'].map((file) => readFileSync(join(config, file), 'utf8')).join('\n')

/** Every environment variable with its default, the processes that read it and what its declaration says. */
export function renderEnvironment(): string {
  const names = [...new Set(Object.values(SHAPES).flatMap((shape) => Object.keys(shape)))].filter((name) => name !== 'PATH').toSorted()
  return page({
    title: 'Environment variables',
    about:
      'Declared in `libs/config/src/env.ts` and `launcher-env.ts`. All are optional for `npm start`; [the guide](../guides/running.md#environment) says more about each.',
    parts: [table(['Variable', 'Default', 'Read by', 'Meaning'], names.map(rowOf))],
  })
}

function rowOf(name: string): string[] {
  const readers = Object.entries(SHAPES).filter(([, shape]) => Object.hasOwn(shape, name))
  const [[, shape] = ['', {}]] = readers
  return [code(name), defaultOf(shape[name]), readers.map(([reader]) => reader).join(', '), meaningOf(name)]
}

function defaultOf(schema: z.ZodType | undefined): string {
  const { success, data } = schema?.safeParse(undefined) ?? { success: false, data: undefined }
  if (!success) return 'required'
  if (data === undefined) return ''
  return code(Array.isArray(data) ? data.join(',') : typeof data === 'string' ? data : JSON.stringify(data))
}

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/running.md'), 'utf8')

/** The words of the guide about a variable, else the doc comment of its declaration. */
function meaningOf(name: string): string {
  const entry = guide.split('\n').find((line) => line.startsWith('- `') && namesIn(line).includes(name))
  const text = entry === undefined ? '' : entry.slice(headOf(entry).length).replace(/^[:.]\s*/, '')
  return text === '' ? commentOf(name) : text.replace(/\]\((?=[a-z])/g, '](../guides/')
}

/** The names and defaults before the colon of an entry. */
const headOf = (line: string): string => /^- (?:(?:, | and )?`[A-Z_]+`(?: \((?:[^()]|\([^)]*\))*\))?)+/.exec(line)?.[0] ?? ''

const namesIn = (line: string): readonly string[] => [...headOf(line).matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name)

function commentOf(name: string): string {
  const comment = new RegExp(String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*(?:const )?${name}(?::| =)`).exec(sources)?.[1] ?? ''
  return comment
    .replace(/^\s*\*/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}
