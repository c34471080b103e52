import { fromDom } from 'hast-util-from-dom'
import { defaultSchema, sanitize, type Schema } from 'hast-util-sanitize'

export type SafeTree = ReturnType<typeof sanitize>
type Node = SafeTree | Extract<SafeTree, { children: unknown }>['children'][number]

const MORE_TAGS =
  'abbr address article aside audio bdi bdo big caption center cite col colgroup dfn figcaption figure font footer header hgroup main mark nav small time u video wbr'
/** Attributes of every element. */
const COMMON = 'align ariaDescribedBy ariaHidden ariaLabel ariaLabelledBy className dir height hidden id lang role style title vAlign width'

/** Elements that an operator may write: text, pictures, sound and video, and how they look. Nothing that runs, sends or covers another site. */
const SCHEMA: Schema = {
  ...defaultSchema,
  tagNames: [...(defaultSchema.tagNames ?? []).filter((name) => name !== 'input'), ...MORE_TAGS.split(' ')],
  attributes: {
    '*': COMMON.split(' '),
    a: ['href', 'name', 'download'],
    audio: ['src', 'controls', 'loop', 'muted'],
    col: ['span'],
    colgroup: ['span'],
    del: ['cite', 'dateTime'],
    details: ['open'],
    font: ['color', 'face', 'size'],
    img: ['src', 'srcSet', 'sizes', 'alt', 'loading', 'border'],
    ins: ['cite', 'dateTime'],
    ol: ['start', 'reversed', 'type'],
    source: ['src', 'srcSet', 'media', 'sizes', 'type'],
    table: ['border', 'cellPadding', 'cellSpacing', 'summary', 'bgColor'],
    td: ['colSpan', 'rowSpan', 'headers', 'bgColor'],
    th: ['colSpan', 'rowSpan', 'headers', 'scope', 'bgColor'],
    time: ['dateTime'],
    video: ['src', 'controls', 'loop', 'muted', 'playsInline', 'poster', 'preload'],
  },
  protocols: {
    cite: ['http', 'https'],
    href: ['http', 'https', 'mailto', 'tel', 'sms', 'xmpp'],
    poster: ['http', 'https', 'data'],
    src: ['http', 'https', 'data'],
  },
  strip: ['script', 'style', 'template', 'title', 'noscript', 'iframe', 'object', 'embed', 'form', 'select', 'textarea', 'svg', 'math'],
  // Names that would shadow properties of the page are removed below; the others are what links inside the page point to.
  clobber: [],
}

/** HTML as elements that cannot run anything; links open in a new tab without a way back to us. */
export function toSafeTree(html: string): SafeTree {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  // The children alone: a page of its own has a head and a body.
  const tree = sanitize(
    { type: 'root', children: [...body.childNodes].map((node) => fromDom(node)) } as Parameters<typeof sanitize>[0],
    SCHEMA,
  )
  secure(tree)
  return tree
}

function secure(node: Node): void {
  if (node.type === 'element') {
    const { properties } = node
    for (const name of ['id', 'name']) if (shadows(properties[name])) delete properties[name]
    if (node.tagName === 'a' && properties['href'] !== undefined) {
      properties['rel'] = ['noopener', 'noreferrer']
      properties['target'] = '_blank'
    }
  }
  if ('children' in node) for (const child of node.children) secure(child)
}

/** An element becomes a property of the page under its id or name; names of elements that are shown now do not count. */
const shadows = (name: unknown): boolean => typeof name === 'string' && (name in Document.prototype || Object.hasOwn(window, name))
