import { expect, it } from 'vitest'
import { placeIn, placeText } from './place.ts'

it.each([
  ['53.5511, 9.9937', 53.5511, 9.9937],
  ['53,5511 9,9937', 53.5511, 9.9937],
  ['53,5511, 9,9937', 53.5511, 9.9937],
  [' 53.5511;9.9937 ', 53.5511, 9.9937],
  ['53.5511° N, 9.9937° E', 53.5511, 9.9937],
  ['53.5511°N 9.9937°O', 53.5511, 9.9937],
  ['33.9° S, 70.6° W', -33.9, -70.6],
  ['-33.9, -70.6', -33.9, -70.6],
  ['48, 11', 48, 11],
  ['53.5511,9.9937', 53.5511, 9.9937],
])('reads the coordinates %s', (text, latitude, longitude) => {
  expect(placeIn(text)).toEqual({ latitude, longitude })
})

it.each([
  'https://www.google.com/maps/place/Aachen/@50.7,6.0,12z/data=!3m1!4b1!4m5!3d50.77!4d6.08',
  'https://www.google.com/maps?q=50.77,6.08',
  'https://maps.apple.com/?ll=50.77%2C6.08',
  'https://www.google.com/maps/@50.77,6.08,14z',
  'https://www.openstreetmap.org/?mlat=50.77&mlon=6.08#map=12/50.9/6.2',
  'https://www.openstreetmap.org/#map=13/50.77/6.08',
  'geo:50.77,6.08?z=12',
])('reads the coordinates in the link %s', (link) => {
  expect(placeIn(link)).toEqual({ latitude: 50.77, longitude: 6.08 })
})

it.each(['', '  '])('reads "%s" as no coordinates', (text) => {
  expect(placeIn(text)).toEqual({ latitude: null, longitude: null })
})

it.each([
  'Hamburg',
  'https://maps.example/Hamburg',
  '53.5511',
  '53,9',
  '91, 9',
  '53, 181',
  '53.5, 9.9, 1',
  '53° 33′ N, 9° 59′ E',
  '1e2, 3',
])('rejects %s as coordinates', (text) => {
  expect(placeIn(text)).toBeUndefined()
})

it('writes coordinates that it reads back unchanged', () => {
  const place = { latitude: 53.55110001, longitude: -9.99370002 }
  expect(placeIn(placeText(place))).toEqual(place)
  expect(placeText({ latitude: null, longitude: null })).toBe('')
})
