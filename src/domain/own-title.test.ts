import { expect, it } from 'vitest'
import { formerNamesAfter, ownTitle, shownTitle } from './own-title.ts'

const type = { name: 'Land', former_names: ['Überland', 'Überlandfahrt'] }

it.each([
  ['Land', undefined, 'Land'],
  ['Überland', undefined, 'Land'],
  ['Überlandfahrt', undefined, 'Land'],
  ['Über', 'Über', 'Über'],
  ['überland', 'überland', 'überland'],
])('the title %j is chosen as %j and shown as %j', (title, own, shown) => {
  expect([ownTitle(title, type), shownTitle(title, type)]).toEqual([own, shown])
})

it('without a type, the title is shown as it is', () => {
  expect([ownTitle('Land', undefined), shownTitle('Land', undefined)]).toEqual(['Land', 'Land'])
})

it('20 former names are kept, the newest last', () => {
  let now = { name: 'Fahrt 0', former_names: [] as string[] }
  for (let index = 1; index <= 25; index += 1)
    now = { name: `Fahrt ${index}`, former_names: formerNamesAfter(now, `Fahrt ${index}`) }
  expect([now.former_names.length, now.former_names[0], now.former_names[19]]).toEqual([
    20,
    'Fahrt 5',
    'Fahrt 24',
  ])
})
