import { describe, expect, it } from 'vitest'
import { importChanges, importedValues, importMaps } from './price-import-changes.ts'
import { readPriceList } from './price-import.ts'

describe('reading a price list', () => {
  it('reads CSV with a header, quotes, dollar signs and other separators', () => {
    expect(readPriceList('model,input,output,cached\n"gpt, 4o",$2.5,10,1.25\n\nb,"1,000.5",,\n').rows).toEqual([
      { name: 'gpt, 4o', line: 2, input: 2.5, output: 10, cached: 1.25 },
      { name: 'b', line: 4, input: 1000.5 },
    ])
    expect(readPriceList('Model;Input ($/1M);Cache write\r\na;1;2\r\n').rows).toEqual([{ name: 'a', line: 2, input: 1, cache_write: 2 }])
    expect(readPriceList('name\tper call\nx\t0.04').rows).toEqual([{ name: 'x', line: 2, per_call: 0.04 }])
    expect(readPriceList('model,input\n"say ""hi""",1').rows).toEqual([{ name: 'say "hi"', line: 2, input: 1 }])
  })

  it('reads JSON as a list and as a map, with the line of each model', () => {
    expect(readPriceList('[\n {"model":"a","input":1},\n {"model":"b","per_call":2}\n]').rows).toEqual([
      { name: 'a', line: 2, input: 1 },
      { name: 'b', line: 3, per_call: 2 },
    ])
    expect(readPriceList('{\n "a": {"input": "3", "audio": null}\n}').rows).toEqual([{ name: 'a', line: 2, input: 3 }])
  })

  it('takes the model where a list also has a title', () => {
    expect(readPriceList('model,name,input\ngpt-4o,GPT-4o,2.5').rows).toEqual([{ name: 'gpt-4o', line: 2, input: 2.5 }])
    expect(readPriceList('name,model_name,input\nGPT-4o,gpt-4o,2.5').rows).toEqual([{ name: 'gpt-4o', line: 2, input: 2.5 }])
  })

  it.each([
    ['dollars per token', '[{"model":"gpt-4o","prompt":"0.0000025","completion":"0.00001"}]', [{ kind: 'per-token', line: 1 }]],
    ['nothing', '  ', [{ kind: 'empty', line: 1 }]],
    ['no header', 'a,1,2', [{ kind: 'no-header', line: 1 }]],
    [
      'an unknown column',
      'model,inptu\na,1',
      [
        { kind: 'column', line: 1, name: 'inptu' },
        { kind: 'no-price', line: 2 },
      ],
    ],
    ['no number', 'model,input\na,1\nb,cheap', [{ kind: 'number', line: 3, column: 'input', value: 'cheap' }]],
    ['a negative price', 'model,input\na,-1', [{ kind: 'number', line: 2, column: 'input', value: '-1' }]],
    ['no model', 'model,input\n,1', [{ kind: 'no-model', line: 2 }]],
    ['no price', 'model,input\na,', [{ kind: 'no-price', line: 2 }]],
    ['a model twice', 'model,input\na,1\nb,1\na,2', [{ kind: 'twice', line: 4, name: 'a' }]],
    ['both ways of billing', 'model,input,per_call\na,1,2', [{ kind: 'both', line: 2 }]],
    ['broken JSON', '[\n {"model":"a",}\n]', [{ kind: 'json', line: 2, column: 15, fault: 'trailing-comma' }]],
    ['JSON of another shape', '[1]', [{ kind: 'shape', line: 1 }]],
  ])('says where the list has %s', (_name, text, problems) => {
    expect(readPriceList(text).problems).toMatchObject(problems)
  })
})

const VALUES = { ModelPrice: '{"draw":0.04}', ModelRatio: '{"a":1,"old":5}', CompletionRatio: '{"a":4}', CacheRatio: '{"a":0.5}' }
const changesOf = (text: string, isWhole = false) => {
  const maps = importMaps(VALUES)
  if (maps === undefined) throw new Error('the maps are valid')
  const { rows } = readPriceList(text)
  const changes = importChanges(maps, rows, isWhole)
  return { changes, values: importedValues(maps, rows, changes) }
}

describe('importing a price list', () => {
  it('says what is added, changed, the same and removed, in dollars', () => {
    const { changes, values } = changesOf('model,input,output,cached\na,2,8,1\nnew,3,6,\ndraw,10,,\n', true)

    expect(changes).toEqual([
      { name: 'a', line: 2, kind: 'same', before: { input: 2, output: 8, cached: 1 }, after: { input: 2, output: 8, cached: 1 } },
      { name: 'new', line: 3, kind: 'added', before: {}, after: { input: 3, output: 6 } },
      { name: 'draw', line: 4, kind: 'changed', before: { per_call: 0.04 }, after: { input: 10 } },
      { name: 'old', line: 0, kind: 'removed', before: { input: 10 }, after: {} },
    ])
    expect(Object.fromEntries(Object.entries(values).map(([key, text]) => [key, JSON.parse(text ?? '')]))).toEqual({
      ModelPrice: {},
      ModelRatio: { a: 1, new: 1.5, draw: 5 },
      CompletionRatio: { a: 4, new: 2 },
    })
  })

  it('keeps what a line leaves out, and relates its prices to the input that is there', () => {
    const { values } = changesOf('model,output,cache_write\na,6,2.5')
    expect(JSON.parse(values['CompletionRatio'] ?? '')).toEqual({ a: 3 })
    expect(JSON.parse(values['CreateCacheRatio'] ?? '')).toEqual({ a: 1.25 })
    expect(values['ModelRatio']).toBeUndefined()
  })

  it('refuses an output without an input, and one beside a free input', () => {
    expect(changesOf('model,input,output\nx,,5\ny,0,5').changes.map(({ kind }) => kind)).toEqual(['refused', 'refused'])
  })
})
