import { describe, expect, it } from 'vitest'
import { isSentinelAddress, sentinelOptions } from './sentinel-address.ts'

describe('an address of Sentinel', () => {
  it('names its servers, the master, and both passwords', () => {
    const url = 'rediss+sentinel://app:p%40ss@one.internal,[fd00::5]:26400/my-master?sentinelPassword=s%2Fp'

    expect(isSentinelAddress(url)).toBe(true)
    expect(sentinelOptions(url)).toMatchObject({
      sentinels: [
        { host: 'one.internal', port: 26_379 },
        { host: 'fd00::5', port: 26_400 },
      ],
      name: 'my-master',
      username: 'app',
      password: 'p@ss',
      sentinelPassword: 's/p',
      enableTLSForSentinelMode: true,
    })
  })

  it('needs the name of the master', () => {
    expect(() => sentinelOptions('redis+sentinel://one:26379')).toThrow('an address of Sentinel is')
    expect(isSentinelAddress('redis://:p@one:6379')).toBe(false)
  })
})
