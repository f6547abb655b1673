import { describe, expect, it } from 'vitest'
import { newTotpSecret, stepOfCode, totpCode, totpStep, totpUri } from './totp.ts'

/** The secret `12345678901234567890` of RFC 6238 in base 32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

const at = (seconds: number) => new Date(seconds * 1000)

describe('codes of authenticator apps', () => {
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('are those of RFC 6238, appendix B, at %i s', (seconds, code) => {
    expect(totpCode(SECRET, totpStep(at(seconds)))).toBe(code.slice(2))
  })

  it('fit one step before and after, and no further', () => {
    const code = totpCode(SECRET, 1000)
    const fits = [998, 999, 1000, 1001, 1002].map((step) => stepOfCode(SECRET, code, at(step * 30)))
    expect(fits).toEqual([undefined, 1000, 1000, 1000, undefined])
    const edges = [29_969.999, 29_970, 30_059.999, 30_060]
    expect(edges.map((time) => stepOfCode(SECRET, code, at(time)))).toEqual([
      undefined,
      1000,
      1000,
      undefined,
    ])
  })

  it('may have spaces; other lengths and letters fit nothing', () => {
    const code = totpCode(SECRET, 1000)
    const fits = (typed: string) => stepOfCode(SECRET, typed, at(30_000))
    expect(fits(` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe(1000)
    for (const typed of [
      '',
      code.slice(1),
      `${code}0`,
      `0${code}`,
      'ABCDEF',
      '١٢٣٤٥٦',
      code.replace(/.$/, 'é'),
    ])
      expect(fits(typed)).toBeUndefined()
  })
})

it('a new secret has 160 bits in base 32, each time others', () => {
  const secrets = Array.from({ length: 200 }, newTotpSecret)
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(new Set(secrets).size).toBe(200)
  expect(new Set(secrets.join('')).size).toBe(32)
})

it('the address names the school and the login, encoded', () => {
  expect(totpUri(SECRET, { email: 'a+b@nord.example', school: 'Nord: Süd & Co' })).toBe(
    `otpauth://totp/Fahrplan%20Nord%20%20S%C3%BCd%20%26%20Co:a%2Bb%40nord.example?secret=${SECRET}&issuer=Fahrplan%20Nord%20%20S%C3%BCd%20%26%20Co&algorithm=SHA1&digits=6&period=30`,
  )
})
