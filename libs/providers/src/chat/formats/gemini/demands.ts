import type { Demand } from '../../demands.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import { listField, numberField, objectField, withoutFields } from './fields.ts'
import { hostedToolOf } from './tool-types.ts'

/** The tools that a body wants its vendor to run: https://ai.google.dev/api/caching#Tool */
export function geminiDemands(body: JsonObject): Demand[] {
  const count = numberField(objectField(body, 'generationConfig'), 'candidateCount') ?? 1
  const several: Demand[] = count > 1 ? [{ path: 'generationConfig.candidateCount', name: 'several answers', ability: 'choices' }] : []
  const hasFunctions = listField(body, 'tools').some((tool) => listField(tool, 'functionDeclarations').length > 0)
  const beside = hasFunctions ? ({ isBesideFunctions: true } as const) : {}
  const tools = listField(body, 'tools').flatMap((tool, index) => {
    if (!isObject(tool)) return []
    return Object.keys(withoutFields(tool, ['functionDeclarations'])).map((name): Demand => {
      const hosted = hostedToolOf(name)
      return { path: `tools[${index}]`, name, ...(hosted === undefined ? {} : { ability: hosted }), ...beside }
    })
  })
  return several.length === 0 ? tools : [...tools, ...several]
}
