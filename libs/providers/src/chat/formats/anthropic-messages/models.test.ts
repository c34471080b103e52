import { describe, expect, it } from 'vitest'
import { abilitiesOf } from './models.ts'

describe('abilitiesOf', () => {
  it.each([
    ['claude-3-haiku-20240307', 'none', 'default', undefined, 'all', false, false],
    ['claude-3-5-sonnet-latest', 'none', 'default', undefined, 'all', false, false],
    ['claude-3-7-sonnet@20250219', 'manual', 'default', undefined, 'all', false, false],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'manual', 'default', undefined, 'all', false, false],
    ['claude-opus-4-1-20250805', 'manual', 'default', undefined, 'one', false, false],
    ['claude-haiku-4-5', 'manual', 'default', undefined, 'one', true, false],
    ['claude-opus-4-5-20251101', 'manual', 'default', 'high', 'one', true, false],
    ['anthropic/claude-opus-4.6', 'both', 'default', 'max', 'one', true, false],
    ['claude-sonnet-4-6', 'both', 'default', 'max', 'one', true, false],
    ['claude-opus-4-7', 'adaptive', 'default', 'xhigh', 'none', true, false],
    ['claude-opus-4-8', 'adaptive', 'default', 'xhigh', 'none', true, true],
    ['claude-mythos-preview', 'adaptive', 'never', 'max', 'none', true, false],
    ['claude-opus-5', 'adaptive', 'disabled', 'xhigh', 'none', true, true],
    ['claude-sonnet-5-20260630', 'adaptive', 'disabled', 'xhigh', 'none', true, true],
    ['claude-haiku-5-5', 'adaptive', 'disabled', 'xhigh', 'none', true, true],
    ['claude-sonnet-5-5', 'adaptive', 'between_tools', 'xhigh', 'none', true, true],
    ['claude-opus-5-5', 'adaptive', 'never', 'xhigh', 'none', true, true],
    ['claude-fable-5-1', 'adaptive', 'never', 'xhigh', 'none', true, true],
    ['global.anthropic.claude-opus-4-8', 'adaptive', 'default', 'xhigh', 'none', true, false],
    ['claude-2.1', 'none', 'default', undefined, 'all', false, false],
    ['deepseek-chat', 'manual', 'default', undefined, 'all', false, false],
  ])('knows what %s accepts', (model, thinking, off, effort, sampling, hasSchemas, hasSystemTurns) => {
    expect(abilitiesOf(model)).toEqual({ thinking, off, ...(effort === undefined ? {} : { effort }), sampling, hasSchemas, hasSystemTurns })
  })
})
