import { ChakraProvider } from '@chakra-ui/react'
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { system } from '../../theme/system.ts'
import { OperatorMarkup } from './operator-markup.tsx'

afterEach(cleanup)

const draw = (text: string, markup: 'markdown' | 'html' = 'html'): HTMLElement =>
  render(
    <ChakraProvider value={system}>
      <OperatorMarkup text={text} markup={markup} />
    </ChakraProvider>,
  ).container

describe('what an operator wrote', () => {
  it.each([
    ['a script', '<script>window.pwned=1</script>'],
    ['a handler', '<img src="x" onerror="window.pwned=1">'],
    ['a handler of another case', '<b oNcLiCk="window.pwned=1">x</b>'],
    ['a link that runs', '<a href="javascript:alert(1)">x</a>'],
    ['a link that runs, disguised', '<a href=" java\nscript:alert(1)">x</a>'],
    ['a link to a page of data', '<a href="data:text/html,<script>1</script>">x</a>'],
    ['a picture that runs', '<img src="javascript:alert(1)">'],
    ['a frame', '<iframe src="https://other.example"></iframe>'],
    ['a frame with a text', '<iframe srcdoc="<script>1</script>"></iframe>'],
    ['an object', '<object data="https://other.example/x.swf"></object><embed src="x">'],
    ['a style sheet', '<style>body{display:none}</style><link rel="stylesheet" href="https://other.example/x.css">'],
    ['a form', '<form action="https://other.example"><input name="password"><button>Go</button></form>'],
    ['a redirection', '<meta http-equiv="refresh" content="0;url=https://other.example"><base href="https://other.example/">'],
    ['a drawing with a script', '<svg><script>1</script><a href="javascript:alert(1)">x</a></svg>'],
    ['a formula with a link', '<math href="javascript:alert(1)">x</math>'],
    ['a template', '<template><img src=x onerror=1></template>'],
  ])('refuses %s', (_what, html) => {
    for (const markup of ['html', 'markdown'] as const) {
      const found = draw(`<p>kept</p>\n\n${html}`, markup)
      expect(found.textContent).toContain('kept')
      expect(
        found.querySelectorAll('script, iframe, object, embed, link, meta, base, form, input, button, svg, math, template'),
      ).toHaveLength(0)
      expect([...found.querySelectorAll('main style, p style')]).toHaveLength(0)
      const attributes = [...found.querySelectorAll('*')].flatMap((element) => [...element.attributes])
      expect(attributes.filter(({ name, value }) => name.startsWith('on') || /javascript:|^data:text|srcdoc/i.test(value))).toEqual([])
      cleanup()
    }
  })

  it.each([
    ['styles of an element', '<p style="color: red; text-align: center">x</p>', 'p', 'style', 'color: red; text-align: center;'],
    ['classes', '<div class="a b">x</div>', 'div.a.b', 'class', 'a b'],
    ['an id to link to', '<h2 id="terms">x</h2>', 'h2', 'id', 'terms'],
    ['a picture', '<img src="https://pictures.example/a.png" alt="a" width="40">', 'img', 'src', 'https://pictures.example/a.png'],
    ['a picture of data', '<img src="data:image/png;base64,AA">', 'img', 'src', 'data:image/png;base64,AA'],
    ['a mail address', '<a href="mailto:us@example.com">x</a>', 'a', 'href', 'mailto:us@example.com'],
    ['a video', '<video src="/film.mp4" controls></video>', 'video', 'src', '/film.mp4'],
    ['a table', '<table><tbody><tr><td colspan="2">x</td></tr></tbody></table>', 'td', 'colspan', '2'],
    ['what opens', '<details open><summary>x</summary>y</details>', 'details', 'open', ''],
  ])('keeps %s', (_what, html, selector, name, value) => {
    expect(draw(html).querySelector(selector)?.getAttribute(name)).toBe(value)
  })

  it('opens links in a new tab without a way back to us', () => {
    const link = draw('[Terms](https://terms.example/)', 'markdown').querySelector('a')
    expect([link?.getAttribute('target'), link?.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])
  })

  it('gives no element a name that the page uses itself', () => {
    expect(draw('<p id="cookie">x</p>').querySelector('p')?.hasAttribute('id')).toBe(false)
    expect(draw('<a name="location">x</a>').querySelector('a')?.hasAttribute('name')).toBe(false)
  })

  it('keeps an id also while another copy of the page is shown', () => {
    draw('<h2 id="terms">x</h2>')
    expect(draw('<h2 id="terms">x</h2>').querySelector('h2')?.id).toBe('terms')
  })

  it('reads Markdown with HTML between its lines', () => {
    const found = draw('# Rules\n\n<div align="center">\n\n**bold** and ~~old~~\n\n</div>\n\n| a | b |\n| - | - |\n| 1 | 2 |\n', 'markdown')
    expect(found.querySelector('h1')?.textContent).toBe('Rules')
    expect(found.querySelector('div[align=center] strong')?.textContent).toBe('bold')
    expect(found.querySelector('del')?.textContent).toBe('old')
    expect(found.querySelectorAll('td')).toHaveLength(2)
  })
})
