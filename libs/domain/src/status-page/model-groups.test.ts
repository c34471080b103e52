import { describe, expect, it } from 'vitest'
import { createGroupOf, OTHER_MODELS } from './model-groups.ts'

const MAKERS: Readonly<Record<string, string>> = {
  'gpt-4o': 'OpenAI',
  o3: 'OpenAI',
  'qwen3.5-plus': 'Alibaba Cloud',
  'claude-opus-5': 'Anthropic',
}
const makerOf = (model: string): string | undefined => MAKERS[model]

describe('the public group of a model', () => {
  it.each([
    ['gpt-4o', 'gpt'],
    ['o3', 'o3'],
    ['qwen3.5-plus', 'qwen'],
    ['claude-opus-5', 'claude'],
    ['acme-internal-7', OTHER_MODELS],
  ])('of %s is %s by default', (model, group) => expect(createGroupOf({ groups: {}, byMaker: false, makerOf })(model)).toBe(group))

  it('is its maker where the operator shows makers', () => {
    const groupOf = createGroupOf({ groups: {}, byMaker: true, makerOf })

    expect(['gpt-4o', 'qwen3.5-plus', 'acme-internal-7'].map(groupOf)).toEqual(['OpenAI', 'Alibaba Cloud', OTHER_MODELS])
  })

  it('is the first of the operator’s groups with a pattern that matches all of its name', () => {
    const groupOf = createGroupOf({ groups: { Chat: ['GPT-4*', '*-opus-*'], Rest: ['qwen3.5-plus'] }, byMaker: false, makerOf })

    expect(['gpt-4o', 'claude-opus-5', 'qwen3.5-plus'].map(groupOf)).toEqual(['Chat', 'Chat', 'Rest'])
    expect(['my-gpt-4o', 'qwen3x5-plus', 'o3'].map(groupOf)).toEqual([undefined, undefined, undefined])
  })
})
