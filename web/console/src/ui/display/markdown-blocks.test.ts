import { describe, expect, it } from 'vitest'
import { blocksOf, codeOf, codePieces, grownBlocks, sectionsOf, type Block } from './markdown-blocks.ts'
import { withDollars } from './math-text.ts'

const textsOf = (blocks: readonly Block[]): readonly string[] => blocks.map(({ text }) => text.trim())

describe('pieces of Markdown', () => {
  it('end at empty lines, but not inside a fence or a list', () => {
    const text = 'One\n\n```js\na\n\nb\n```\n\n- x\n\n- y\n\nEnd'

    expect(textsOf(blocksOf(text))).toEqual(['One', '```js\na\n\nb\n```\n\n- x\n\n- y', 'End'])
  })

  it('lose no text', () => {
    const text = 'a\n\nb\n\n```\nopen\n\nc'

    expect(
      blocksOf(text)
        .map((block) => block.text)
        .join(''),
    ).toBe(text)
  })

  it('are the same when the text arrives bit by bit', () => {
    const table = `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(900)}`
    const text = `# Title\n\npara\n\n\`\`\`ts\nlet a\n\n\n\`\`\`\n${'- item of a list\n'.repeat(600)}\n${table}\n${'word '.repeat(50)}\n\nend`
    let state: { text: string; blocks: readonly Block[] } = { text: '', blocks: [] }
    for (let end = 0; end <= text.length; end += 37) {
      const grown = text.slice(0, end)
      state = { text: grown, blocks: grownBlocks(state, grown) }
    }

    expect(grownBlocks(state, text)).toEqual(blocksOf(text))
  })

  it('are short for long lists and tables, which keep their head', () => {
    const list = blocksOf('- item of a list\n'.repeat(3_000))
    const table = blocksOf(`| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(3_000)}`)

    expect(Math.max(...[...list, ...table].map(({ text }) => text.length))).toBeLessThan(4_200)
    expect(table.every(({ text }) => text.startsWith('| a | b |\n| - | - |\n'))).toBe(true)
  })

  it('are code without colours where a fence is too long, in pieces of whole lines', () => {
    const lines = 'const answer = 42\n'.repeat(2_000)
    const [block] = blocksOf(`\`\`\`js\n${lines}\`\`\`\n`)

    expect(block?.kind).toBe('code')
    expect(codeOf(block?.text ?? '')).toBe(lines)
    const pieces = codePieces(lines, 4_000)
    expect(pieces.join('')).toBe(lines)
    expect(pieces.every((piece) => piece.endsWith('\n'))).toBe(true)
  })
})

describe('sections of blocks', () => {
  const text = `${'A paragraph of forty characters or more.\n\n'.repeat(200)}\`\`\`js\n${'const answer = 42\n'.repeat(1_000)}\`\`\`\n\nend\n`

  it('have all blocks in order, and a long fence alone', () => {
    const sections = sectionsOf(blocksOf(text))

    expect(sections.flatMap(({ texts }) => texts).join('')).toBe(text)
    expect(sections.filter(({ kind }) => kind === 'code').map(({ texts }) => texts.length)).toEqual([1])
    expect(Math.max(...sections.filter(({ kind }) => kind === 'markdown').map(({ texts }) => texts.join('').length))).toBeLessThan(2_100)
  })

  it('stay as they are when the text grows, but for the last', () => {
    const before = sectionsOf(blocksOf(text.slice(0, 5_000)))

    expect(sectionsOf(blocksOf(text)).slice(0, before.length - 1)).toEqual(before.slice(0, -1))
  })
})

describe('formulas', () => {
  it.each([
    ['inline in brackets', String.raw`so \(a+b\) is`, 'so $$a+b$$ is'],
    ['inline in dollars', 'so $a_1 + b$ is', 'so $$a_1 + b$$ is'],
    ['of their own in brackets', 'x\n\\[\na+b\n\\]\ny', 'x\n\n\n$$\na+b\n$$\n\n\ny'],
    ['of their own in dollars', '$$a+b$$', '\n\n$$\na+b\n$$\n\n'],
  ])('are read %s', (_how, text, written) => {
    expect(withDollars(text)).toBe(written)
  })

  it.each([
    ['prices', 'it costs $5 and $10 today'],
    ['code', 'run `echo $HOME$x` and\n```sh\n$a $b$\n\\(x\\)\n```\n'],
    ['an open fence', '```sh\n$a$ b'],
    ['formulas in two dollars', 'a $$x$$ b'],
  ])('leave alone %s', (_what, text) => {
    expect(withDollars(text)).toBe(text)
  })
})
