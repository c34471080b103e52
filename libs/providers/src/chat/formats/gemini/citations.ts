import type { ModelEvent } from '../../events.ts'
import { isObject, objectAt, objectsAt, textAt, type JsonObject } from '../../../json.ts'

type Citation = Extract<ModelEvent, { kind: 'citation' }>

/**
 * The sources of a candidate's text: each supported piece with its source, sources without a piece, and quotations.
 * https://ai.google.dev/api/generate-content#GroundingMetadata
 */
export function citationsIn(candidate: JsonObject): Citation[] {
  const grounding = objectAt(candidate, 'groundingMetadata')
  if (candidate['groundingMetadata'] === undefined && candidate['citationMetadata'] === undefined) return []
  const chunks = objectsAt(grounding, 'groundingChunks')
  const supports = objectsAt(grounding, 'groundingSupports')
  const named = new Set<number>()
  const pieces = supports.flatMap((support) => {
    const indexes = Array.isArray(support['groundingChunkIndices']) ? support['groundingChunkIndices'] : []
    return indexes.flatMap((index): Citation[] => {
      const chunk = typeof index === 'number' ? chunks[index] : undefined
      if (chunk === undefined) return []
      named.add(index)
      const text = textAt(objectAt(support, 'segment'), 'text')
      return [{ ...toCitation(chunk), ...(text === undefined ? {} : { text }) }]
    })
  })
  const others = chunks.filter((_, index) => !named.has(index)).map(toCitation)
  return [...pieces, ...others, ...quotationsIn(candidate)]
}

/** Encodes citations as `groundingMetadata`. */
export function toGrounding(citations: readonly Citation[]): JsonObject {
  const sources = [...new Set(citations.map(({ url = '' }) => url))]
  const titleOf = (url: string) => citations.find((citation) => citation.url === url && citation.title !== undefined)?.title
  const groundingChunks = sources.map((uri) => {
    const title = titleOf(uri)
    return { web: { uri, ...(title === undefined ? {} : { title }) } }
  })
  const groundingSupports = citations
    .filter(({ text }) => text !== undefined)
    .map(({ text, url = '' }) => ({ segment: { text }, groundingChunkIndices: [sources.indexOf(url)] }))
  return { groundingChunks, ...(groundingSupports.length === 0 ? {} : { groundingSupports }) }
}

function toCitation(chunk: JsonObject): Citation {
  const source = Object.values(chunk).find(isObject)
  return { kind: 'citation', ...sourceOf(source), raw: chunk }
}

function quotationsIn(candidate: JsonObject): Citation[] {
  return objectsAt(objectAt(candidate, 'citationMetadata'), 'citations').map((raw) => ({ kind: 'citation', ...sourceOf(raw), raw }))
}

function sourceOf(source: unknown): { url?: string; title?: string } {
  const url = textAt(source, 'uri')
  const title = textAt(source, 'title')
  return { ...(url === undefined ? {} : { url }), ...(title === undefined ? {} : { title }) }
}
