import { describe, expect, it } from 'vitest'
import { namesToTry, parseHosts, parseSearch } from './system-files.ts'

describe('the hosts file', () => {
  it('gives a name all its addresses, in any case', () => {
    const hosts = parseHosts(
      '127.0.0.1 localhost\n# no\n10.0.0.7\tVendor vendor.lan # here\n::1 localhost\n10.0.0.7 vendor\nnot-an-address x',
    )

    expect(hosts.get('localhost')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
    expect(hosts.get('vendor')).toEqual([{ address: '10.0.0.7', family: 4 }])
    expect(hosts.get('vendor.lan')).toEqual([{ address: '10.0.0.7', family: 4 }])
    expect([...hosts.keys()]).toHaveLength(3)
  })
})

describe('the search list', () => {
  const cluster = parseSearch('nameserver 10.0.0.1\nsearch ns.svc.cluster.local svc.cluster.local.\noptions timeout:1 ndots:5\n')

  it('is read with the number of dots', () => {
    expect(cluster).toEqual({ domains: ['ns.svc.cluster.local', 'svc.cluster.local'], ndots: 5 })
    expect(parseSearch('')).toEqual({ domains: [], ndots: 1 })
    expect(parseSearch('domain lan\n')).toEqual({ domains: ['lan'], ndots: 1 })
  })

  it('comes first for names with few dots', () => {
    expect(namesToTry('vendor', cluster)).toEqual(['vendor.ns.svc.cluster.local', 'vendor.svc.cluster.local', 'vendor'])
    expect(namesToTry('a.b.c.d.e.f', cluster)[0]).toBe('a.b.c.d.e.f')
    expect(namesToTry('api.vendor.example.', cluster)).toEqual(['api.vendor.example'])
    expect(namesToTry('api.vendor.example', parseSearch('search lan'))).toEqual(['api.vendor.example', 'api.vendor.example.lan'])
  })
})
