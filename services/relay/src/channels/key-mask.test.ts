import { describe, expect, it } from 'vitest'
import { KeyMask } from './key-mask.ts'

const KEY = 'sk-proj-T3x9QwLm27Zr0bVcYd81HfKs'
const STARS = '*'.repeat(KEY.length)
const text = `data: {"content":"my key is ${KEY}, keep sk-proj-T3x9 and ${KEY}"}\n\ndata: [DONE]\n\n`
const clean = text.replaceAll(KEY, STARS)

function through(mask: KeyMask, pieces: readonly string[]): string {
  const sent = pieces.map((piece) => mask.push(Buffer.from(piece)).toString())
  return sent.join('') + mask.end(Buffer.alloc(0)).toString()
}

describe('a key in the bytes of an answer', () => {
  it('is overwritten in a whole answer, which is not copied without need', () => {
    const plain = Buffer.from('an answer without it')

    expect(new KeyMask(KEY).whole(Buffer.from(text)).toString()).toBe(clean)
    expect(new KeyMask(KEY).whole(plain)).toBe(plain)
    expect(new KeyMask(KEY).text(text)).toBe(clean)
  })

  it('is overwritten in a stream, wherever the stream is cut', () => {
    for (let at = 0; at <= text.length; at += 1) expect(through(new KeyMask(KEY), [text.slice(0, at), text.slice(at)])).toBe(clean)
    expect(through(new KeyMask(KEY), text.split(''))).toBe(clean)
  })

  it('delays nothing but the beginning of a key', () => {
    const mask = new KeyMask(KEY)

    expect(mask.push(Buffer.from('data: the end of an event\n\n')).length).toBe(27)
    expect(mask.push(Buffer.from('data: half an event')).toString()).toBe('data: half an event')
    expect(mask.push(Buffer.from(' sk-pro')).toString()).toBe(' ')
    expect(mask.push(Buffer.from('ud')).toString()).toBe('sk-proud')
  })

  it('has several parts', () => {
    const mask = new KeyMask('us-east-1|AKIA0123456789ABCDEF|wJalrXUtnFEMI7MDENGbPx')

    expect(mask.text('AKIA0123456789ABCDEF wJalrXUtnFEMI7MDENGbPx us-east-1')).toBe(`${'*'.repeat(20)} ${'*'.repeat(22)} us-east-1`)
  })

  it('is not searched for when it is a word', () => {
    expect(new KeyMask('ollama').text('ollama')).toBe('ollama')
  })
})
