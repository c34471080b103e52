import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError } from '@tollgate/cli/failure'
import { readDirectory } from '@tollgate/cli/commands/config/read-directory'
import { readCatalogueFile } from '@tollgate/domain/model-catalogue/read-file'
import { applyPatch } from '@tollgate/domain/scim/patch'
import { matches, parseFilter } from '@tollgate/domain/scim/filter'
import { userSchema } from '@tollgate/domain/scim/schema'
import { ScimError } from '@tollgate/domain/scim/scim-error'
import { readInvoice } from '@tollgate/domain/vendor-invoices/read-invoice'
import { readPriceExpression, Unsayable } from '@tollgate/moving-in/gateway/price-expression'
import { openConfigFile, UnreadableConfig } from '@tollgate/moving-in/litellm/config-file'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeBytes, changeTree, encodeChanged, textChange, treeChange } from './mutations.ts'

const RUNS = 100
const SECRET = 'sk-a-secret-of-a-file'

/** A right file: as a value that is encoded as JSON, or as text. */
type Example = { readonly value: unknown } | { readonly text: string }

const changed = (examples: readonly Example[]): fc.Arbitrary<string> =>
  fc
    .record({
      example: fc.constantFrom(...examples),
      tree: fc.array(treeChange, { maxLength: 3 }),
      text: fc.array(textChange, { maxLength: 2 }),
    })
    .map(({ example, tree, text }) => {
      if ('value' in example) return encodeChanged(changeTree(example.value, tree), text).toString()
      let bytes: Buffer = Buffer.from(example.text)
      for (const change of text) bytes = changeBytes(bytes, change)
      return bytes.toString()
    })

const INVOICES: readonly Example[] = [
  { text: 'date,model,input tokens,output tokens,cost,currency\n2026-11-01,gpt-4o,100,20,"1,234.50",USD\n2026-11-02,gpt-4o,1,2,.5,$\n' },
  { text: '{"start_time":1793491200,"model":"m","input_tokens":1}\n{"start_time":1793491201,"model":"m","input_tokens":2}\n' },
  {
    value: {
      object: 'page',
      data: [
        {
          object: 'bucket',
          start_time: 1_793_491_200,
          results: [{ model: 'gpt-4o', input_tokens: 5, amount: { value: 0.1, currency: 'usd' } }],
        },
      ],
    },
  },
]
const PRICE_LISTS: readonly Example[] = [
  {
    value: {
      'gpt-4o': {
        litellm_provider: 'openai',
        mode: 'chat',
        input_cost_per_token: 2.5e-6,
        output_cost_per_token: 1e-5,
        max_tokens: 128_000,
      },
    },
  },
  { value: { openai: { models: { 'gpt-4o': { cost: { input: 2.5, output: 10, tiers: [{ tier: { size: 200_000 }, input: 5 }] } } } } } },
  { value: { data: { model_ratio: { 'gpt-4o': 1.25 }, completion_ratio: { 'gpt-4o': 4 }, model_price: { m: 0.1 } } } },
  { value: { data: [{ model_name: 'gpt-4o', quota_type: 0, model_ratio: 1.25, completion_ratio: 4 }] } },
]
const PATCHES: readonly Example[] = [
  {
    value: {
      Operations: [
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'a@example.com' },
        { op: 'Add', value: { 'name.givenName': 'A', active: 'False', displayName: 'B' } },
        { op: 'remove', path: 'emails', value: [{ value: 'b@example.com' }] },
      ],
    },
  },
]
const YAML = `model_list:
  - &first { model_name: gpt-4o, litellm_params: { model: openai/gpt-4o, api_key: ${SECRET}, weight: 2, input_cost_per_token: 0.0000025 } }
  - *first
router_settings: { model_group_alias: { nick: gpt-4o }, num_retries: 2, fallbacks: [{ gpt-4o: [other] }] }
`

describe('a changed file', () => {
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tollgate-readers-'))
  })
  afterAll(() => rm(dir, { recursive: true }))

  it('of an invoice has lines that can be stored, or problems', () => {
    fc.assert(
      fc.property(changed(INVOICES), (text) => {
        const { lines } = readInvoice([{ name: 'a', text }], { time_zone: 'Asia/Shanghai' })
        for (const { day, requests, input, cached, output } of lines) {
          expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
          for (const count of [requests, input, cached, output]) expect(count === null || Number.isSafeInteger(count)).toBe(true)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('of prices has prices that can be stored, or none', () => {
    fc.assert(
      fc.property(changed(PRICE_LISTS), (text) => {
        const file = readCatalogueFile(text)
        if ('fault' in file) return
        for (const { name, prices } of file.models) {
          expect(name.length).toBeGreaterThan(0)
          for (const { lines } of prices) for (const price of Object.values(lines)) expect(price).toMatch(/^\d+(\.\d+)?$/)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('of a SCIM client is a resource, or refused in SCIM’s words', () => {
    fc.assert(
      fc.property(changed(PATCHES), (text) => {
        const given = parsed(text)
        const kept = refusedAs(ScimError, () => applyPatch(userSchema, { userName: 'a', emails: [{ value: 'b@example.com' }] }, given))
        expect(kept === undefined || kept['userName'] !== undefined).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  it('of a filter is a filter, or refused in SCIM’s words', () => {
    const filters = [
      'userName eq "a" and not (emails[type eq "work" and value co "@"] or meta.created gt "2026")',
      'active eq true',
      'id pr',
    ]
    fc.assert(
      fc.property(changed(filters.map((text) => ({ text }))), (text) => {
        const filter = refusedAs(ScimError, () => parseFilter(text))
        if (filter !== undefined) expect(typeof matches(filter, { userName: 'a', active: true }, userSchema)).toBe('boolean')
      }),
      { numRuns: RUNS },
    )
  })

  it('of price expressions has finite prices, or is refused by its part', () => {
    const expressions = [
      'len <= 200000 ? tier("a", p * 3 + c * 15 + cr * 0.3) : tier("b", p * 6 + c * 22.5)',
      'fixed(0.04)',
      '(p + c) * 2 / 3',
    ]
    fc.assert(
      fc.property(changed(expressions.map((text) => ({ text }))), (text) => {
        const read = refusedAs(Unsayable, () => readPriceExpression(text))
        for (const { call, dollars } of read?.bands ?? [])
          for (const price of [call, ...dollars.values()]) expect(price).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: RUNS },
    )
  })

  it('of LiteLLM is read, or refused without its keys', async () => {
    const path = join(dir, 'config.yaml')
    await fc.assert(
      fc.asyncProperty(changed([{ text: YAML }]), async (text) => {
        await writeFile(path, text)
        const source = await openConfigFile(path, {}).catch((error: unknown) => {
          expect(error).toBeInstanceOf(UnreadableConfig)
          expect(String(error)).not.toContain(SECRET)
        })
        expect(JSON.stringify(source?.unknown ?? [])).not.toContain(SECRET)
      }),
      { numRuns: RUNS },
    )
  })

  it('of a configuration is read, or refused as a whole', async () => {
    const yaml = `groups: &g { vip: { ratio: 0.8 } }\nprices: { gpt-4o: { ModelRatio: 1.25 } }\nchannels:\n  - { name: a, type: 1, key: { env: SOME_KEY }, models: [gpt-4o] }\n`
    const path = join(dir, 'config', 'a.yaml')
    await mkdir(join(dir, 'config'))
    await fc.assert(
      fc.asyncProperty(changed([{ text: yaml }]), async (text) => {
        await writeFile(path, text)
        const read = refusedAs(CliError, () => readDirectory(join(dir, 'config')))
        for (const { content } of read?.files ?? []) expect(parsed(content)).toBeDefined()
      }),
      { numRuns: RUNS },
    )
  })
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A text that is no JSON does not reach the reader.
    return undefined
  }
}

/** The result; undefined if it refuses in the declared way. Every other error fails the test. */
function refusedAs<T>(refusal: new (...args: never[]) => Error, run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof refusal) return undefined
    throw error
  }
}
