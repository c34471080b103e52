import { describe, expect, it } from 'vitest'
import { modelDiff } from './model-diff.ts'

describe('the models of a channel and of its upstream', () => {
  it('differ by what is new and what is gone', () => {
    expect(modelDiff(['a', 'b'], ['b', 'c'], {})).toEqual({ fresh: ['c'], gone: ['a'] })
  })

  it('are compared by the names that are sent upstream', () => {
    expect(modelDiff(['fast'], ['gpt-x', 'gpt-y'], { fast: 'middle', middle: 'gpt-x' })).toEqual({ fresh: ['gpt-y'], gone: [] })
  })

  it('are not gone when upstream lists nothing, and a circle in the mapping ends', () => {
    expect(modelDiff(['a'], [], {}).gone).toEqual([])
    expect(modelDiff(['a'], ['z'], { a: 'b', b: 'a' }).gone).toEqual(['a'])
  })
})
