import { describe, expect, it } from 'vitest'
import { newRecoveryCode, recoveryCodeIn } from './recovery-code.ts'

describe('a recovery code', () => {
  it('has four groups of four unambiguous letters and digits', () => {
    const codes = Array.from({ length: 200 }, newRecoveryCode)
    for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    expect(new Set(codes).size).toBe(codes.length)
    expect(new Set(codes.join('')).size).toBe(33)
  })

  it.each([
    ['0123-4567-89ab-cdef', '0123-4567-89ab-cdef'],
    ['  O123 4567 89AB CDEF ', '0123-4567-89ab-cdef'],
    ['oI23456789abcdef', '0123-4567-89ab-cdef'],
    ['0l23–4567–89ab–cdef', '0123-4567-89ab-cdef'],
    ['', ''],
    ['0123', '0123'],
  ])('typed as %o is read as %o', (typed, code) => {
    expect(recoveryCodeIn(typed)).toBe(code)
  })
})
