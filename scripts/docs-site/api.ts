import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf, typeOf, type Schema } from './schemas.ts'
import { root, type SidebarGroup } from './pages.ts'

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly $ref?: string
}
type Media = { readonly schema?: Schema; readonly example?: unknown; readonly examples?: Readonly<Record<string, { value?: unknown }>> }
type Body = { readonly description?: string; readonly content?: Readonly<Record<string, Media>>; readonly $ref?: string }
type Operation = {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
  readonly 'x-access'?: string
}
export type OpenApi = {
  readonly info: { readonly title: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly parameters?: Readonly<Record<string, Parameter>> }
}

export type ApiPage = { readonly route: string; readonly title: string; readonly text: string }

const APIS = [
  { file: 'openapi.json', route: 'reference/api', title: 'API of the control plane', zh: '控制面 API' },
  { file: 'relay-openapi.json', route: 'reference/relay-api', title: 'API of the relay', zh: '中继 API' },
] as const

const METHODS: readonly string[] = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options']

/** `npm run gen` wrote the file; redocly lints it. */
const read = (file: string): OpenApi =>
  // The shape that OpenAPI defines.
  JSON.parse(readFileSync(join(root, 'docs/generated', file), 'utf8')) as OpenApi

/** A page per tag of each OpenAPI file, and one that lists them. */
export const renderApis = (base: string): readonly ApiPage[] =>
  APIS.flatMap(({ file, route, title }) => {
    const api = read(file)
    const tags = tagsOf(api)
    const pages = tags.map((tag) => ({ route: `${route}/${slugOf(tag)}`, title: `${title}: ${tag}`, text: renderTag(api, tag) }))
    return [{ route, title, text: renderIndex(api, tags, `${base}/${file}`) }, ...pages]
  })

/** The entries of the sidebar. */
export const apiGroups = (): readonly SidebarGroup[] =>
  APIS.map(({ file, route, title, zh }) => ({
    en: title,
    zh,
    collapsed: true,
    items: [{ route, en: 'OpenAPI' }, ...tagsOf(read(file)).map((tag) => ({ route: `${route}/${slugOf(tag)}`, en: tag }))],
  }))

const slugOf = (tag: string): string => tag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const tagsOf = (api: OpenApi): readonly string[] => [...new Set(operationsOf(api).flatMap(({ operation }) => operation.tags?.[0] ?? []))]

const operationsOf = (api: OpenApi) =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

function renderIndex(api: OpenApi, tags: readonly string[], download: string): string {
  const operations = operationsOf(api)
  const rows = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags?.[0] === tag)
    return `| [${tag}](./${slugOf(tag)}/) | ${own.length} | ${api.tags?.find(({ name }) => name === tag)?.description ?? ''} |`
  })
  const file = `The same as a file: <a href="${download}">${download.split('/').at(-1)}</a> (OpenAPI 3.1).`
  return [api.info.description ?? '', file, '| Tag | Calls | |\n|---|---|---|', ...rows].join('\n\n').replace(/\|\n\n\|/g, '|\n|')
}

const renderTag = (api: OpenApi, tag: string): string =>
  operationsOf(api)
    .filter(({ operation }) => operation.tags?.[0] === tag)
    .map(({ method, path, operation }) => renderOperation(api, `${method} ${path}`, operation))
    .join('\n\n')

function renderOperation(api: OpenApi, call: string, operation: Operation): string {
  const access =
    operation['x-access'] === undefined ? [] : [`Access: ${operation['x-access']}. Operation id: \`${operation.operationId}\`.`]
  return [
    `## ${call.replace(/[{}]/g, (mark) => `\\${mark}`)}`,
    escape(operation.summary ?? ''),
    ...(operation.description === undefined || operation.description === operation.summary ? [] : [escape(operation.description)]),
    ...access,
    ...renderParameters(api, operation.parameters ?? []),
    ...renderBody(api, 'Body', operation.requestBody),
    ...Object.entries(operation.responses).flatMap(([status, response]) => renderBody(api, `Answer ${status}`, response)),
  ].join('\n\n')
}

function renderParameters(api: OpenApi, parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return []
  const rows = parameters
    .map((parameter) => api.components.parameters?.[nameOf(parameter.$ref)] ?? parameter)
    .map((it) => [`\`${it.name}\`${it.required === true ? ' *' : ''}`, it.in, typeOf(it.schema ?? {}), it.description ?? ''])
  return [htmlTable(['Parameter', 'In', 'Type', ''], rows)]
}

const nameOf = (ref: string | undefined): string => ref?.split('/').at(-1) ?? ''

function renderBody(api: OpenApi, title: string, body: Body | undefined): string[] {
  if (body === undefined) return []
  const [[type, media] = ['', undefined]] = Object.entries(body.content ?? {})
  if (media === undefined) return body.$ref === undefined ? [] : [`**${title}**: ${nameOf(body.$ref)}`]
  const fields = fieldsOf(media.schema ?? {}, api.components.schemas)
  const rows = fields.map(({ name, isRequired, type: kind, about }) => [`\`${name}\`${isRequired ? ' *' : ''}`, kind, about])
  const example = media.example ?? Object.values(media.examples ?? {})[0]?.value
  return [
    `**${title}** (\`${type}\`): ${typeOf(media.schema ?? {})}`,
    ...(rows.length === 0 ? [] : [details('Fields', htmlTable(['Field', 'Type', ''], rows))]),
    ...(example === undefined ? [] : [details('Example', `<pre tabindex="0"><code>${escape(exampleText(example))}</code></pre>`)]),
  ]
}

const exampleText = (example: unknown): string =>
  typeof example === 'string' ? example.replace(/\n\n/g, '\n') : JSON.stringify(example, null, 2)

const details = (summary: string, inner: string): string => `<details><summary>${summary}</summary>\n${inner}\n</details>`

function htmlTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (tag: string, cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<${tag}>${inCell(cell)}</${tag}>`).join('')}</tr>`
  return `<table><thead>${row('th', head)}</thead><tbody>${rows.map((cells) => row('td', cells)).join('')}</tbody></table>`
}

const inCell = (text: string): string =>
  escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\n+/g, ' ')

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
