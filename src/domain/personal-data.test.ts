import { describe, expect, it } from 'vitest'
import { personalDataPattern } from './personal-data.ts'

const LENA = {
  first_name: ['Lena'],
  last_name: ['Vogt', 'Berg-Vogt'],
  email: ['lena.vogt@mail.example'],
  phone: ['+49 (0)30 5550145'],
}

function isMentioned(text: string, person: Parameters<typeof personalDataPattern>[0] = LENA): boolean {
  const pattern = personalDataPattern(person, 'DE')
  return pattern !== undefined && new RegExp(pattern, 'iu').test(text)
}

describe('the personal data pattern', () => {
  it.each([
    'Lena Vogt',
    'Ring LENA  VOGT back.',
    'Vogt, Lena: exam',
    '(Lena Berg-Vogt)',
    'to lena.vogt@mail.example',
    'mail Lena.Vogt@Mail.Example!',
    '030 5550145',
    'Tel. 030/555-01 45, in the evening',
    '+49 30 5550145',
    '+49 (0)30 5550145',
    '0049305550145',
  ])('matches %s', (text) => expect(isMentioned(text)).toBe(true))

  it.each([
    '{"notes":"Bring:\\nLena Vogt"}',
    '{"notes":"Bring:\\tLena\\r\\nVogt"}',
    '{"notes":"lena.vogt@mail.example\\n"}',
  ])('matches in JSON text: %s', (text) => expect(isMentioned(text)).toBe(true))

  it.each([
    'Lena',
    'Vogt',
    'Lena Vogts',
    'Helena Vogt',
    'Lena and Vogt',
    'lenaXvogt@mail.example',
    '030 55501456',
    '1030 5550145',
  ])('does not match %s', (text) => expect(isMentioned(text)).toBe(false))

  it('is undefined if all names and numbers are too short', () => {
    const short = { first_name: ['A'], last_name: ['B'], email: [], phone: ['12345'] }
    expect(personalDataPattern(short, 'DE')).toBeUndefined()
  })

  it('escapes special characters in names', () => {
    const odd = { first_name: ['J. (Jo)'], last_name: ["O'Brien+"], email: [], phone: [] }
    expect(isMentioned("J. (Jo) O'Brien+", odd)).toBe(true)
    expect(isMentioned("Jx (Jo) O'Brienn", odd)).toBe(false)
  })

  it('matches a phone number of another country only with its country code', () => {
    const abroad = { first_name: [], last_name: [], email: [], phone: ['+43 660 123 45 67'] }
    expect(isMentioned('0043 660 1234567', abroad)).toBe(true)
    expect(isMentioned('0660 1234567', abroad)).toBe(false)
  })
})
