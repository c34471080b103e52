import { common, createLowlight } from 'lowlight'

type Root = ReturnType<ReturnType<typeof createLowlight>['highlight']>
type Content = Root['children'][number]
type Element = Extract<Content, { type: 'element' }>

// Once: to register the languages takes longer than to colour most code.
const lowlight = createLowlight(common)

/** A rehype plugin: colours the code of fences that name a language we know. */
export function rehypeColours(): (tree: Root) => void {
  return (tree) => colour(tree)
}

function colour(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    if (child.tagName === 'code' && 'tagName' in parent && parent.tagName === 'pre') colourCode(child)
    else colour(child)
  }
}

function colourCode(code: Element): void {
  const { className } = code.properties
  const names = Array.isArray(className) ? className.map(String) : []
  const language = names.find((name) => name.startsWith('language-'))?.slice('language-'.length)
  if (language === undefined || !lowlight.registered(language)) return
  const { children } = lowlight.highlight(language, textOf(code))
  code.children = children.filter((child) => child.type !== 'doctype')
}

function textOf(node: Content): string {
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(textOf).join('') : ''
}
