import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { serversOf, userIn } from './servers.ts'

describe('the servers in a database address', () => {
  it.each([
    ['postgres://app:pw@a/db', ['postgres://app:pw@a/db'], false],
    ['postgresql://a:5432/db?sslmode=disable', ['postgresql://a:5432/db?sslmode=disable'], false],
    ['postgres://a/db?target_session_attrs=primary', ['postgres://a/db?target_session_attrs=primary'], true],
    [
      'postgres://app:p%40w@a:5432,b:5433/db',
      ['postgres://app:p%40w@a:5432/db', 'postgres://app:p%40w@b:5433/db'],
      true,
    ],
    [
      'postgres://[::1]:5432,b,10.0.0.3/db',
      ['postgres://[::1]:5432/db', 'postgres://b/db', 'postgres://10.0.0.3/db'],
      true,
    ],
    [
      'postgres://a,b/db?target_session_attrs=read-write&sslmode=require',
      [
        'postgres://a/db?target_session_attrs=read-write&sslmode=require',
        'postgres://b/db?target_session_attrs=read-write&sslmode=require',
      ],
      true,
    ],
  ])('are parsed from %s', (address, addresses, mustTakeWrites) => {
    expect(serversOf(address)).toEqual({ addresses, mustTakeWrites })
  })

  it.each([
    'mysql://a/db',
    'http://a,b/db',
    'a:5432,b:5432/db',
    'postgres://a,/db',
    'postgres://,b/db',
    'postgres://a:x,b/db',
    'postgres://a:5432,b:x/db',
    'postgres://a,b/db?target_session_attrs=any',
    'postgres://a/db?target_session_attrs=standby',
    'postgres://a,b/db?target_session_attrs=',
  ])('are undefined for the invalid address %s', (address) => {
    expect(serversOf(address)).toBeUndefined()
  })
})

it.each([
  ['postgres://app:pw@a,b/db', 'app'],
  ['postgres://app%20one@a/db', 'app one'],
  ['postgres://a,b/db', ''],
])('the database user is read from %s', (address, user) => {
  expect(userIn(address)).toBe(user)
})

it('the example fahrplan.env lists two servers for each database role', () => {
  const file = readFileSync(new URL('../../../deploy/failover/fahrplan.env', import.meta.url), 'utf8')
  const addresses = Array.from(file.matchAll(/^\w+=(.*)$/gm), ([, address = '']) => address)
  expect(addresses.map((address) => [userIn(address), serversOf(address)?.addresses.length])).toEqual([
    ['fahrplan_app', 2],
    ['fahrplan_owner', 2],
  ])
})
