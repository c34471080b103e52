import { describe, expect, it } from 'vitest'
import { addressBlock, clientIp, isLoopback, isWithin } from './client-ip.ts'

const from = (peer: string, forwarded?: string): Parameters<typeof clientIp>[0] => ({
  socket: { remoteAddress: peer },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
})

describe('clientIp', () => {
  it.each([
    ['no proxy is trusted', from('203.0.113.9', '1.2.3.4'), [], '203.0.113.9'],
    ['the peer is not a trusted proxy', from('203.0.113.9', '1.2.3.4'), ['10.0.0.0/8'], '203.0.113.9'],
    ['the peer is one', from('::ffff:10.0.0.1', '1.2.3.4'), ['10.0.0.0/8'], '1.2.3.4'],
    ['the client forged a hop in front', from('10.0.0.1', '9.9.9.9, 1.2.3.4, 10.0.0.2'), ['10.0.0.0/8'], '1.2.3.4'],
    ['a hop is no address', from('10.0.0.1', 'unknown, 10.0.0.2'), ['10.0.0.0/8'], ''],
    ['a proxy on this machine forwards no address', from('127.0.0.1', 'unknown'), ['127.0.0.0/8'], ''],
    ['a proxy forwards an empty header', from('127.0.0.1', ''), ['127.0.0.0/8'], ''],
    ['the proxy adds the port', from('10.0.0.1', '192.0.2.7:4711'), ['10.0.0.0/8'], '192.0.2.7'],
    ['the proxy adds the port to IPv6', from('10.0.0.1', '[2001:db8::5]:4711'), ['10.0.0.0/8'], '2001:db8::5'],
    ['the proxy sent no header', from('10.0.0.1'), ['10.0.0.1'], '10.0.0.1'],
    ['everything is IPv6', from('fd00::1', '2001:db8::5'), ['fd00::/8'], '2001:db8::5'],
  ])('reads the address when %s', (_why, incoming, trusted, expected) => {
    expect(clientIp(incoming, trusted)).toBe(expected)
  })

  it('counts an IPv6 network of 64 bits as one client', () => {
    expect(addressBlock('2001:db8:1:2:3:4:5:6')).toBe(addressBlock('2001:db8:1:2::9'))
    expect(addressBlock('2001:db8:1:3::9')).not.toBe(addressBlock('2001:db8:1:2::9'))
    expect(addressBlock('::ffff:192.0.2.1')).toBe('192.0.2.1')
  })

  it('recognises CIDR ranges and loopback addresses', () => {
    expect(isWithin('10.1.2.3', ['10.0.0.0/8'])).toBe(true)
    expect(isWithin('11.1.2.3', ['10.0.0.0/8', 'nonsense'])).toBe(false)
    expect(isLoopback('::ffff:127.0.0.1')).toBe(true)
    expect(isLoopback('192.168.1.1')).toBe(false)
  })
})
