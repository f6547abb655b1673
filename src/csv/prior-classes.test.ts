import { expect, it } from 'vitest'
import { priorClassesOfCell, priorClassesText } from './prior-classes.ts'

const place = { today: '2026-05-04', timezone: 'Europe/Berlin' }

it.each([
  ['B', [{ license_class: 'B', since: null }]],
  [
    'AM; B (1.5.2019)',
    [
      { license_class: 'AM', since: null },
      { license_class: 'B', since: '2019-05-01' },
    ],
  ],
  ['B, B', [{ license_class: 'B', since: null }]],
  ['B (gestern)', [{ license_class: 'B', since: 'gestern' }]],
  ['Keine', []],
])('the cell %j has the prior classes %j', (cell, classes) => {
  expect(priorClassesOfCell(cell, place)).toEqual(classes)
})

it.each([
  [null, null],
  [[], 'keine'],
  [
    [
      { license_class: 'B', since: '2019-05-01' },
      { license_class: 'AM', since: null },
    ],
    'B (2019-05-01), AM',
  ],
])('prior classes %j are written as %j, and read back', (classes, text) => {
  expect(priorClassesText(classes, 'de')).toBe(text)
  if (text !== null) expect(priorClassesOfCell(text, place)).toEqual(classes)
})
