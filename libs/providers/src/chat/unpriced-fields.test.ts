import { describe, expect, it } from 'vitest'
import { unpricedIn } from './unpriced-fields.ts'

describe('what a vendor may charge for and the gateway does not', () => {
  it.each([
    [{ latency_tier: 'fast' }, ['unpriced.latency_tier']],
    [{ priority: 3 }, ['unpriced.priority']],
    [{ dataRegion: 'eu' }, ['unpriced.dataRegion']],
    [{ billing_policy: { charge: 'user' } }, ['unpriced.billing_policy']],
    [{ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, ['unpriced.tools.code_interpreter']],
    [{ tools: [{ type: 'code_execution_20260521', name: 'code_execution' }] }, ['unpriced.tools.code_execution_20260521']],
    [{ tools: [{ googleMaps: {} }, { functionDeclarations: [] }] }, ['unpriced.tools.googleMaps']],
    [{ tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }, ['unpriced.tools.shell']],
  ])('is named: %j', (body, names) => {
    expect(unpricedIn(body)).toEqual(names)
  })

  it.each([
    [{ service_tier: 'priority', speed: 'fast', inference_geo: 'us', fallbacks: [] }],
    [{ model: 'm', messages: [], temperature: 1, unknown_field: 1, priorities_of_user: 'x', original: true }],
    [{ priority: null, fast: false }],
    [{ tools: [{ type: 'function', name: 'fast_tier' }, { type: 'web_search' }] }],
    [{ tools: [{ type: 'shell', environment: { type: 'local' } }, { type: 'local_shell' }] }],
  ])('has nothing of %j', (body) => {
    expect(unpricedIn(body)).toEqual([])
  })
})
