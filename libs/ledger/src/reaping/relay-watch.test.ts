import { describe, expect, it } from 'vitest'
import { createRelayWatch } from './relay-watch.ts'

const DEAD_AFTER = 60_000

function aWatch() {
  const clock = { at: 1_000 }
  const watch = createRelayWatch({ deadAfterMs: DEAD_AFTER, monotonic: () => clock.at })
  watch.follow(['a'])
  return {
    watch,
    clock,
    /** One probe a second for so many seconds. */
    probe: (seconds: number, counter: (i: number) => string | null) => {
      for (let i = 0; i < seconds; i += 1) {
        clock.at += 1000
        watch.observe([counter(i)])
      }
    },
  }
}

describe('owner watch', () => {
  it('calls an owner dead whose counter stood still for the whole time', () => {
    const { watch, probe } = aWatch()
    probe(60, () => '7')
    expect(watch.isDead('a')).toBe(false)

    probe(1, () => '7')

    expect(watch.isDead('a')).toBe(true)
  })

  it('calls an owner dead that has no counter at all', () => {
    const { watch, probe } = aWatch()

    probe(61, () => null)

    expect(watch.isDead('a')).toBe(true)
  })

  it('starts the time anew with each beat', () => {
    const { watch, probe } = aWatch()

    probe(300, (i) => String(Math.floor(i / 50)))

    expect(watch.isDead('a')).toBe(false)
  })

  it('starts the time anew when Redis answered a probe late', () => {
    const { watch, probe } = aWatch()
    probe(61, () => '7')

    watch.startAnew()

    expect(watch.isDead('a')).toBe(false)
    probe(60, () => '7')
    expect(watch.isDead('a')).toBe(true)
  })

  it('starts the time anew when it was asleep itself', () => {
    const { watch, probe, clock } = aWatch()
    probe(30, () => '7')
    clock.at += 120_000

    expect(watch.isDead('a')).toBe(false)
    probe(1, () => '7')
    expect(watch.isDead('a')).toBe(false)
    probe(60, () => '7')
    expect(watch.isDead('a')).toBe(true)
  })

  it('knows nothing of an owner before the first probe, and forgets one without holds', () => {
    const { watch, clock } = aWatch()
    clock.at += 4000
    expect(watch.isDead('a')).toBe(false)

    watch.follow(['b'])

    expect(watch.owners()).toEqual(['b'])
    expect(watch.isDead('a')).toBe(false)
  })
})
