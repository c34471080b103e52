import { describe, expect, it } from 'vitest'
import { createRelayWatch } from './relay-watch.ts'

const DEAD_AFTER = 60_000

function aWatch() {
  const clock = { at: 1_000 }
  const watch = createRelayWatch({ deadAfterMs: DEAD_AFTER, monotonic: () => clock.at })
  watch.watchOnly(['a'])
  return {
    watch,
    clock,
    /** One probe per second. */
    probe: (seconds: number, counter: (i: number) => string | null) => {
      for (let i = 0; i < seconds; i += 1) {
        clock.at += 1000
        watch.observe([counter(i)])
      }
    },
  }
}

describe('relay watch', () => {
  it('calls a relay dead when its counter stood still for the whole time', () => {
    const { watch, probe } = aWatch()
    probe(60, () => '7')
    expect(watch.isDead('a')).toBe(false)

    probe(1, () => '7')

    expect(watch.isDead('a')).toBe(true)
  })

  it('calls a relay dead that has no counter at all', () => {
    const { watch, probe } = aWatch()

    probe(61, () => null)

    expect(watch.isDead('a')).toBe(true)
  })

  it('restarts the time with each heartbeat', () => {
    const { watch, probe } = aWatch()

    probe(300, (i) => String(Math.floor(i / 50)))

    expect(watch.isDead('a')).toBe(false)
  })

  it('restarts the time when Redis answered a probe late', () => {
    const { watch, probe } = aWatch()
    probe(61, () => '7')

    watch.restart()

    expect(watch.isDead('a')).toBe(false)
    probe(60, () => '7')
    expect(watch.isDead('a')).toBe(true)
  })

  it('restarts the time after this process was paused', () => {
    const { watch, probe, clock } = aWatch()
    probe(30, () => '7')
    clock.at += 120_000

    expect(watch.isDead('a')).toBe(false)
    probe(1, () => '7')
    expect(watch.isDead('a')).toBe(false)
    probe(60, () => '7')
    expect(watch.isDead('a')).toBe(true)
  })

  it('does not judge a relay before the first probe, and forgets one without holds', () => {
    const { watch, clock } = aWatch()
    clock.at += 4000
    expect(watch.isDead('a')).toBe(false)

    watch.watchOnly(['b'])

    expect(watch.relayIds()).toEqual(['b'])
    expect(watch.isDead('a')).toBe(false)
  })
})
