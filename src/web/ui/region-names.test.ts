import Holidays from 'date-holidays'
import { expect, it } from 'vitest'
import { regionName, regionsOf } from './region-names.ts'

it.each(['AT', 'CH', 'DE', 'FR', 'GB', 'NL', 'PL'])(
  'names each region whose holidays are known in %s',
  (country) => {
    const known = Object.keys(new Holidays().getStates(country) ?? {})
    expect(regionsOf(country)).toEqual(known.map((code) => `${country}-${code.toUpperCase()}`).toSorted())
  },
)

it('names a region in the language of the screen, and an unknown one by its code', () => {
  expect(regionName('DE-BY', { locale: 'de-DE' })).toBe('Bayern')
  expect(regionName('DE-BY', { locale: 'en-GB' })).toBe('Bavaria')
  expect(regionName('DE-XX', { locale: 'en-GB' })).toBe('DE-XX')
})
