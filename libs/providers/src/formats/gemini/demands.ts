import type { Demand } from '../../chat/demands.ts'
import { isObject, type JsonObject } from '../../json.ts'
import { listField, withoutFields } from './fields.ts'
import { hostedToolOf } from './tool-types.ts'

/** The tools that a body wants its vendor to run: https://ai.google.dev/api/caching#Tool */
export function geminiDemands(body: JsonObject): Demand[] {
  return listField(body, 'tools').flatMap((tool, index) => {
    if (!isObject(tool)) return []
    return Object.keys(withoutFields(tool, ['functionDeclarations'])).map((name): Demand => {
      const hosted = hostedToolOf(name)
      return { path: `tools[${index}]`, name, ...(hosted === undefined ? {} : { tool: hosted }) }
    })
  })
}
