import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A call that a method of an SDK makes; parts of the path in braces are the caller's. */
export type SdkCall = { readonly sdk: Sdk; readonly call: string; readonly method: string; readonly path: string }

export const SDKS = { openai: 'openai', anthropic: '@anthropic-ai/sdk', genai: '@google/genai' } as const
export type Sdk = keyof typeof SDKS

/** Connections of other kinds than a request, and requests whose path is not written in the method. */
const SOCKETS: readonly SdkCall[] = [
  { sdk: 'openai', call: 'embeddings.create', method: 'POST', path: '/v1/embeddings' },
  { sdk: 'openai', call: 'OpenAIRealtimeWS', method: 'WebSocket', path: '/v1/realtime' },
  { sdk: 'openai', call: 'OpenAIRealtimeWS (translation)', method: 'WebSocket', path: '/v1/realtime/translations' },
  { sdk: 'openai', call: 'ResponsesWS', method: 'WebSocket', path: '/v1/responses' },
  { sdk: 'openai', call: 'OpenAILiveWS', method: 'WebSocket', path: '/v1/live/sessions' },
  { sdk: 'anthropic', call: 'messages.batches.results', method: 'GET', path: '/v1/messages/batches/{messageBatchID}/results' },
  { sdk: 'anthropic', call: 'Claude Code', method: 'HEAD', path: '/api/hello' },
  {
    sdk: 'genai',
    call: 'live.connect',
    method: 'WebSocket',
    path: '/ws/google.ai.generativelanguage.{version}.GenerativeService.BidiGenerateContent',
  },
  {
    sdk: 'genai',
    call: 'live.music.connect',
    method: 'WebSocket',
    path: '/ws/google.ai.generativelanguage.{version}.GenerativeService.BidiGenerateMusic',
  },
]

/** The calls of the SDKs installed below this folder, read from their sources, each once. */
export function readCalls(nodeModules: string): readonly SdkCall[] {
  const at = (sdk: Sdk) => join(nodeModules, SDKS[sdk])
  const found = [
    ...SOCKETS,
    ...readResources(at('openai'), '/v1').map((call) => ({ sdk: 'openai' as const, ...call })),
    ...readResources(at('anthropic'), '').map((call) => ({ sdk: 'anthropic' as const, ...call })),
    ...readGenai(readFileSync(join(at('genai'), 'dist/node/index.mjs'), 'utf8')).map((call) => ({ sdk: 'genai' as const, ...call })),
  ]
  const unique = new Map(found.map((call) => [[call.sdk, call.method, call.path, call.call].join(' '), call]))
  return [...unique.keys()].toSorted().flatMap((key) => unique.get(key) ?? [])
}

type Found = Omit<SdkCall, 'sdk'>

const METHOD = /^ {4}(?: {4})?(?:async )?(\w+)\(.*\{$/
const REQUEST = /this\._client\.(getAPIList|get|post|put|patch|delete)\((?:path )?[`'"]([^`'"]+)[`'"]/
const HTTP: Readonly<Record<string, string>> = { getAPIList: 'GET' }

/** Both SDKs have a class per resource, whose methods call the client with a path. */
function readResources(folder: string, prefix: string): Found[] {
  return globSync('resources/**/*.mjs', { cwd: folder })
    .toSorted()
    .flatMap((file) => {
      const owner = ownerOf(file)
      let name = ''
      return readFileSync(join(folder, file), 'utf8')
        .replaceAll(/_client\s*\n\s*\./g, '_client.')
        .split('\n')
        .flatMap((line) => {
          name = METHOD.exec(line)?.[1] ?? name
          const [, verb = '', path = ''] = REQUEST.exec(line) ?? []
          if (verb === '') return []
          return [{ call: `${owner}.${name}`, method: HTTP[verb] ?? verb.toUpperCase(), path: prefix + plainPath(path) }]
        })
    })
}

/** A file named like its folder is the resource of the folder. */
function ownerOf(file: string): string {
  const parts = file
    .replace(/^resources\//, '')
    .replace(/\.mjs$/, '')
    .split('/')
  const names = parts.at(-1) === parts.at(-2) ? parts.slice(0, -1) : parts
  return names.map((name) => name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())).join('.')
}

const plainPath = (path: string): string => path.replaceAll(/\$\{(?:[\w.]+\.)?(\w+)\}/g, '{$1}').replace(/\?.*$/, '')

const GENAI_METHOD = /^ {4}async (\w+?)(?:Internal)?\(/
const GENAI_CLASS = /\bclass (\w+) extends BaseModule/
const GENAI_FUNCTION = /^async function \$do(?:\d+)?\w*|^function (\w+)\(client, /
const GENAI_MAP = /path = formatMap\('([^']+)'/
const GENAI_VERB = /httpMethod: '(\w+)'/
const GENAI_TEMPLATE = /pathToFunc\("\/\{api_version\}(\/[^"]+)"\)/
const GENAI_TEMPLATE_VERB = /\bmethod: "(\w+)"/

/** The SDK of Google has one file: methods with a branch for Vertex, which is another service, and functions of its newer APIs. */
function readGenai(source: string): Found[] {
  const found: Found[] = []
  let [owner, name, newer, path, newerPath] = ['', '', '', '', '']
  for (const line of source.split('\n')) {
    owner = GENAI_CLASS.exec(line)?.[1] ?? owner
    name = GENAI_METHOD.exec(line)?.[1] ?? name
    newer = GENAI_FUNCTION.exec(line)?.[1] ?? newer
    path = GENAI_MAP.exec(line)?.[1] ?? path
    newerPath = GENAI_TEMPLATE.exec(line)?.[1] ?? newerPath
    const verb = GENAI_VERB.exec(line)?.[1]
    if (verb !== undefined && path !== '') {
      found.push({ call: `${lowerFirst(owner)}.${name}`, method: verb, path: genaiPath(path, owner) })
      path = ''
    }
    const newerVerb = GENAI_TEMPLATE_VERB.exec(line)?.[1]
    if (newerVerb !== undefined && newerPath !== '') {
      found.push({ call: dotted(newer), method: newerVerb, path: `/{version}${newerPath}` })
      newerPath = ''
    }
  }
  return found.filter(({ path: one }) => !VERTEX.test(one))
}

/** Calls of Vertex AI: another service, with other credentials. */
const VERTEX = /batchPredictionJobs|tuningJobs|computeTokens|fetchPredictOperation/

const COLLECTIONS: Readonly<Record<string, string>> = {
  Caches: 'cachedContents/{cachedContent}',
  Models: 'models/{model}',
  Operations: 'models/{model}/operations/{operation}',
  Documents: 'fileSearchStores/{store}/documents/{document}',
  FileSearchStores: 'fileSearchStores/{store}',
  Tunings: 'tunedModels/{model}',
}

/** Names of resources stand for their collections, which the method writes in front. */
function genaiPath(path: string, owner: string): string {
  const whole = path
    .replace(/\?.*$/, '')
    .replace(/^\{(?:name|operationName|file_search_store_name|parent)\}(?!\/documents)/, COLLECTIONS[owner] ?? '{name}')
    .replace(/^\{model\}/, 'models/{model}')
    .replace('{models_url}', 'models')
    .replace('{parent}/documents', 'fileSearchStores/{store}/documents')
    .replace('batches/{name}', 'batches/{batch}')
    .replace('{file_search_store_name}', 'fileSearchStores/{store}')
  return whole.startsWith('upload/') ? `/${whole.replace('{api_version}', '{version}')}` : `/{version}/${whole}`
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
/** `interactionsCreate` is `interactions.create`. */
const dotted = (name: string): string =>
  name.replace(/^([a-z]+)(?=[A-Z])/, '$1.').replace(/\.(\w)/, (_all, letter: string) => `.${letter.toLowerCase()}`)
