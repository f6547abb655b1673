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

it.each(['', '  '])('reads "%s" as no coordinates', (text) => {
  expect(placeIn(text)).toEqual({ latitude: null, longitude: null })
})

it.each(['Hamburg', '53.5511', '53,9', '91, 9', '53, 181', '53.5, 9.9, 1', '53° 33′ N, 9° 59′ E', '1e2, 3'])(
  'rejects %s as coordinates',
  (text) => {
    expect(placeIn(text)).toBeUndefined()
  },
)

it('writes coordinates that it reads back unchanged', () => {
  const place = { latitude: 53.55110001, longitude: -9.99370002 }
  expect(placeIn(placeText(place))).toEqual(place)
  expect(placeText({ latitude: null, longitude: null })).toBe('')
})
