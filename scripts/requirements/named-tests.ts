/** A test as a requirement names it: `channels/page.test` is a file of that name, or one whose name ends with it, below the folder. */
export function isNamed(file: string, name: string): boolean {
  const folders = file.replace(/\.tsx?$/, '').split('/')
  const own = folders.pop() ?? ''
  const parts = name.split('/')
  const base = parts.pop() ?? ''
  return (own === base || own.endsWith(`.${base}`)) && parts.every((part) => folders.includes(part))
}

export type NamedTitle = { readonly file: string | undefined; readonly title: string }

/** The quoted titles of a proof, each with the test file that was named last before it. */
export function titlesIn(proof: string): readonly NamedTitle[] {
  let file: string | undefined
  return [...proof.matchAll(/([\w/.-]+\.test)\b(?:\.tsx?\b)?|"([^"]+)"/g)].flatMap(([, name, title]) => {
    file = name ?? file
    return title === undefined ? [] : [{ file, title }]
  })
}

const PLACEHOLDER = /%[sdjop#]|\$\{[^}]*\}|\$\w+(?:\.\w+)*/g
const LITERAL = /'((?:\\.|[^'\\\n])+)'|"((?:\\.|[^"\\\n])+)"|`((?:\\.|[^`\\\n])+)`/g
/** A name with placeholders needs so many letters of its own, or it would match any other. */
const LETTERS_OF_ITS_OWN = 6

/** Tells whether a title, in which `…` stands for any text, is a literal of a test's source, or can be made by one with placeholders. */
export function readTitles(source: string): (title: string) => boolean {
  const literals = [...source.matchAll(LITERAL)].map(([, single, double, backtick]) =>
    (single ?? double ?? backtick ?? '').replace(/\\(['"`])/g, '$1'),
  )
  const templates = literals
    .filter((literal) => literal.search(PLACEHOLDER) !== -1)
    .filter((literal) => literal.replace(PLACEHOLDER, '').replace(/[^a-z]/g, '').length >= LETTERS_OF_ITS_OWN)
    .map((literal) => new RegExp(`^${literal.split(PLACEHOLDER).map(escapePattern).join('.+')}$`))
  return (title) => {
    const parts = title.split('…').map((part) => escapePattern(part.trim()))
    const wanted = new RegExp(parts.join('.*'))
    const filled = title.replaceAll('…', ' some text ').trim()
    return literals.some((literal) => wanted.test(literal)) || templates.some((template) => template.test(filled))
  }
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
