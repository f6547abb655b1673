import { expect, it } from 'vitest'
import { PACK_COUNTRIES } from '../../../domain/pack-languages.ts'
import { zoneFaultFor } from '../../../domain/time-zone.ts'
import { guessFor, zoneOf, zonesWith } from './guesses.ts'

it.each([
  [['de-AT', 'en'], 'Europe/Vienna', { country: 'AT', timezone: 'Europe/Vienna', locale: 'de' }],
  [['en-US'], 'Europe/Warsaw', { country: 'PL', timezone: 'Europe/Warsaw', locale: 'en' }],
  [['it', 'fr-CH'], 'Asia/Tokyo', { country: 'CH', timezone: 'Asia/Tokyo', locale: 'fr' }],
  [['ja'], 'Asia/Tokyo', { country: 'DE', timezone: 'Asia/Tokyo', locale: 'en' }],
  [['pl'], 'CET', { country: 'DE', timezone: 'Europe/Berlin', locale: 'pl' }],
  [[], 'UTC', { country: 'DE', timezone: 'UTC', locale: 'en' }],
])('for languages %j in %s the guess is %j', (languages, timezone, guess) => {
  expect(guessFor(languages, timezone)).toEqual(guess)
})

it('every country has a valid time zone', () => {
  expect(PACK_COUNTRIES.filter((country) => zoneFaultFor(zoneOf(country)))).toEqual([])
})

it('the list of zones includes a guessed zone that the browser does not list', () => {
  expect(zonesWith('Etc/GMT+5').filter((zone) => zone === 'Etc/GMT+5')).toHaveLength(1)
})
