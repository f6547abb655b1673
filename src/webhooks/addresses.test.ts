import { describe, expect, it } from 'vitest'
import { Addresses, pinnedTo } from './addresses.ts'

const PRIVATE = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[100::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[4000::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
]
const PUBLIC = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.0.2.1',
  '192.169.0.0',
  '198.51.100.7',
  '203.0.113.7',
  '[2606:4700::1111]',
  '[::ffff:1.1.1.1]',
]

const mayReceive = (addresses: Addresses, host: string) =>
  addresses.of(host).then(
    () => true,
    () => false,
  )

describe('the allowed webhook addresses', () => {
  const addresses = new Addresses([])

  it('exclude private networks and include public addresses up to their edges', async () => {
    for (const host of PRIVATE) expect(await mayReceive(addresses, host), host).toBe(false)
    for (const host of PUBLIC) expect(await mayReceive(addresses, host), host).toBe(true)
  })

  it('exclude private addresses in every spelling that a URL accepts', async () => {
    const spellings = [
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '017700000001',
      '127.1',
      '127.0.1',
      '0177.0.0.1',
      '127.0.0.1.',
      '１２７.0.0.1',
      '⑯⑨.254.169.254',
      '%31%32%37.0.0.1',
      '[0:0:0:0:0:ffff:7f00:1]',
    ]
    for (const spelling of spellings) {
      const url = `https://${spelling}/`
      if (URL.canParse(url)) expect(await mayReceive(addresses, new URL(url).hostname), spelling).toBe(false)
    }
    expect(spellings.filter((spelling) => URL.canParse(`https://${spelling}/`)).length).toBeGreaterThan(9)
  })

  it('include private networks that the operator allows, and no others', async () => {
    const some = new Addresses(['127.0.0.0/8', 'fd00::/8', '10.1.2.3'])
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '[fd00::1]', '10.1.2.3', '1.1.1.1'])
      expect(await mayReceive(some, host), host).toBe(true)
    for (const host of ['10.1.2.4', '[fc00::1]', '[::1]', '192.168.0.1'])
      expect(await mayReceive(some, host), host).toBe(false)
  })

  it('are pinned for the connection instead of being resolved again', async () => {
    const lookup = pinnedTo(await addresses.of('1.1.1.1'))
    const found = await new Promise((done) => {
      lookup('rebound.example', { all: true }, (_error, address) => done(address))
    })
    expect(found).toEqual([{ address: '1.1.1.1', family: 4 }])
  })
})
