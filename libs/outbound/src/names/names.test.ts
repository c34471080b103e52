import { lookup } from 'node:dns/promises'
import { startDnsServer, type DnsServer } from '@tollgate/testing/dns-server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createNames, createUserNames, type Names } from './names.ts'
import { parseHosts, parseSearch } from './system-files.ts'

let dns: DnsServer
let names: Names

beforeEach(async () => {
  dns = await startDnsServer({ 'vendor.example': '203.0.113.7' })
  names = createUserNames([dns.address])
})
afterEach(() => dns.stop())

const addressesOf = async (name: string, user = 1) => (await names.resolve(name, { owner: { user } })).map(({ address }) => address)
const quick = { timeoutMs: 30, budget: { name: 'test', total: 10 }, usesSystem: false }

describe('a name', () => {
  it('is looked up once for all that need it, and kept', async () => {
    expect(await Promise.all([addressesOf('vendor.example'), addressesOf('VENDOR.example', 2)])).toEqual([['203.0.113.7'], ['203.0.113.7']])
    expect(await addressesOf('vendor.example')).toEqual(['203.0.113.7'])
    expect(dns.seen).toEqual(['vendor.example'])
  })

  it('that does not exist fails, and is not looked up again at once', async () => {
    await expect(addressesOf('nothing.example')).rejects.toMatchObject({ failure: 'dns' })
    await expect(addressesOf('nothing.example')).rejects.toMatchObject({ failure: 'dns' })
    expect(dns.seen).toEqual(['nothing.example'])
  })

  it('of this machine needs no server', async () => {
    expect(await addressesOf('localhost')).toContain('127.0.0.1')
    expect(await addressesOf('vendor.localhost')).toEqual(['127.0.0.1', '::1'])
    expect(await addressesOf('[::1]')).toEqual(['::1'])
    const files = { hosts: () => parseHosts('10.0.0.7 vendor'), search: () => parseSearch('') }
    expect(await createNames({ ...quick, servers: [dns.address], files }).resolve('vendor')).toEqual([{ address: '10.0.0.7', family: 4 }])
    expect(dns.seen).toEqual([])
  })

  it('that no server answers ends at the time limit, and an older answer serves meanwhile', async () => {
    names = createNames({ ...quick, servers: [dns.address] })
    await expect(addressesOf('silent.example')).rejects.toMatchObject({
      failure: 'dns',
      message: expect.stringContaining('30 ms') as string,
    })

    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      expect(await addressesOf('vendor.example')).toEqual(['203.0.113.7'])
      await dns.stop()
      vi.advanceTimersByTime(61_000)
      expect(await addressesOf('vendor.example')).toEqual(['203.0.113.7'])
    } finally {
      vi.useRealTimers()
      dns = await startDnsServer()
    }
  })

  it('that is unknown to DNS is looked up by the system, if an operator gave it', async () => {
    const files = { hosts: () => parseHosts(''), search: () => parseSearch('') }
    names = createNames({ ...quick, timeoutMs: 1000, usesSystem: true, servers: [dns.address], files })

    await expect(addressesOf('nothing.invalid')).rejects.toMatchObject({
      failure: 'dns',
      message: expect.stringContaining('not known') as string,
    })
  })
})

describe('names that no server answers', () => {
  const silent = (count: number, user: number) =>
    Array.from({ length: count }, (_, at) => addressesOf(`${user}-${at}.silent.example`, user).catch(() => 'failed'))

  it('leave the threads of the runtime free', async () => {
    let ended = 0
    for (const one of silent(16, 1)) void one.then(() => (ended += 1))
    await vi.waitFor(() => expect(dns.seen.length).toBeGreaterThan(0), { interval: 2 })
    await lookup('localhost')

    expect(ended).toBe(0)
  })

  it('take the share of one user only', async () => {
    void Promise.all(silent(30, 1))
    await vi.waitFor(() => expect(new Set(dns.seen).size).toBe(4), { interval: 2 })

    expect(await addressesOf('vendor.example', 2)).toEqual(['203.0.113.7'])
    expect(new Set(dns.seen.filter((name) => name.includes('silent'))).size).toBe(4)
  })
})
