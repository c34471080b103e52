// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { parseEnv } from 'node:util'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { ALL_CLIENTS } from './all-clients.ts'
import { SYSTEMS, type ClientValues, type CodeLanguage } from './client.ts'
import { inDotenv, inPowerShell, inQuotes, inShell } from './encode.ts'

const PIECES = [
  ...`'"\`\\ #!&;-%é模𝄞a\n\t’‘\u007F\u0085\u2028\uFEFF`,
  '$HOME',
  '$(id)',
  ': ',
  '%PATH%',
  '"""',
  '${X}',
  '${{ secrets.X }}',
  '{env:HOME}',
  '{file:/etc/hostname}',
]

/** Texts made of what has a meaning in some syntax, and any other texts. NUL is in no argument of a program. */
const hostile = fc
  .oneof(
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', minLength: 1 }),
  )
  .filter((text) => !text.includes('\0'))

/** The arguments of a command, as a POSIX shell reads them. */
const argumentsOf = (words: string): readonly string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

describe('a text in the syntax of a file or shell', () => {
  it('is the same text in JSON, TOML, YAML and JavaScript', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const code = inQuotes(text)

        expect(JSON.parse(code)).toBe(text)
        expect(parseToml(`value = ${code}`)).toEqual({ value: text })
        expect(parseYaml(`value: ${code}`)).toEqual({ value: text })
        expect(runInNewContext(code)).toBe(text)
      }),
    )
  })

  it('is one argument of a POSIX shell', () => {
    fc.assert(
      fc.property(hostile, hostile, (one, two) => {
        expect(argumentsOf(`${inShell(one)} ${inShell(two)}`)).toEqual([one, two])
      }),
      { numRuns: 60 },
    )
  })

  it('is one string of PowerShell, which ends at any single quote that is not doubled', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [, inside] = /^'((?:[^'‘’‚‛]|['‘’‚‛]{2})*)'$/u.exec(inPowerShell(text)) ?? []

        expect(inside?.replace(/(['‘’‚‛])['‘’‚‛]/gu, '$1')).toBe(text)
      }),
    )
  })

  it.each(['sk-abc', "it's", 'a b#c', 'a"b', '$HOME ${X}', "'`"])('is the value %s of a .env file', (text) => {
    expect(parseEnv(`KEY=${inDotenv(text)}`)).toEqual({ KEY: text })
  })
})

type Read = (code: string) => unknown

const READERS: Partial<Record<CodeLanguage, Read>> = { json: JSON.parse, toml: parseToml, yaml: (code) => parseYaml(code) as unknown }

/** Files of clients that can be read here, for one model and key. */
function* filesOf(values: ClientValues): Generator<readonly [string, unknown]> {
  for (const client of ALL_CLIENTS)
    for (const setup of client.setups)
      for (const system of SYSTEMS)
        for (const part of setup.parts(values, system)) {
          const read = part.kind === 'code' ? READERS[part.language] : undefined
          if (part.kind === 'code' && read !== undefined) yield [client.id, read(part.code)] as const
        }
}

/** Every text in a value, names of fields too. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    yield name
    yield* textsOf(inner)
  }
}

describe('the set-ups', () => {
  it('hold any model and key unchanged in every file', () => {
    fc.assert(
      fc.property(hostile, hostile, (model, key) => {
        for (const [id, file] of filesOf({ address: 'https://gw.example', key, model })) {
          if (id === 'gemini-cli') continue
          const texts = [...textsOf(file)]
          expect([id, texts.some((text) => text.endsWith(model) || text === key)]).toEqual([id, true])
        }
      }),
    )
  })

  it('give a shell any model and key as one word each', () => {
    const stub =
      'curl() { printf "%s\\n" "$@"; }; gemini() { curl "$@"; }; aider() { curl "$@"; }; cline() { curl "$@"; }; open-webui() { env; }'
    const values = { address: 'https://gw.example', key: `sk-'"$HOME\`\\`, model: `m'"$(echo no) \\` }
    for (const client of ALL_CLIENTS)
      for (const setup of client.setups)
        for (const part of setup.parts(values, 'unix')) {
          if (part.kind !== 'code' || part.language !== 'shell') continue
          const printed = execFileSync(
            'bash',
            ['-c', `${stub.replace('open-webui()', 'open_webui()')}\n${part.code.replace('open-webui', 'open_webui')}\nenv`],
            {
              encoding: 'utf8',
            },
          )
          const asJson = JSON.stringify(values.model)
          expect([
            client.id,
            printed.includes(values.key),
            client.id === 'codex' || printed.includes(values.model) || printed.includes(asJson),
          ]).toEqual([client.id, true, true])
        }
  })

  it.each([
    ['opencode', '{env:HOME}{file:/etc/hostname}', /\{(env|file):/],
    ['continue', '${{ secrets.X }}', /\$\{\{/],
  ])('write nothing that %s would replace', (id, model, placeholder) => {
    const [part] =
      ALL_CLIENTS.find((client) => client.id === id)?.setups[0].parts({ address: 'https://gw.example', key: model, model }, 'unix') ?? []

    expect(part?.kind === 'code' ? placeholder.test(part.code) : true).toBe(false)
  })
})
