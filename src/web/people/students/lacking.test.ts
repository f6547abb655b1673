import { expect, it } from 'vitest'
import type { ListedStudent } from '../../../contract/student.ts'
import { isLacking, kindsLacking } from './lacking.ts'

const lena = { address: 'Allee 5' }
const open = { id: '1', license_class: 'B', is_current: true, prior_classes: [] }
const ticks = {
  missing: ['photo', 'first_aid', 'theory_test', 'licence'],
  expired: ['first_aid'],
  next: null,
}
const listed = { enrolments: [open], ticks } as Pick<ListedStudent, 'enrolments' | 'ticks'>

it.each([
  ['address', { address: null }, undefined, true],
  ['address', lena, undefined, false],
  ['prior_classes', lena, undefined, false],
  ['prior_classes', lena, listed, false],
  ['prior_classes', lena, { enrolments: [open, { ...open, prior_classes: null }] }, true],
  ['papers', lena, listed, true],
  ['papers', lena, { ...listed, enrolments: [] }, false],
  ['papers', lena, { ...listed, ticks: { ...ticks, missing: ['theory_test'] } }, false],
  ['expired', lena, listed, true],
  ['expired', lena, { ...listed, ticks: { ...ticks, expired: [] } }, false],
] as const)('%s of %j with %j is lacking: %j', (lack, student, known, lacking) => {
  expect(isLacking(lack, student, known as typeof listed)).toBe(lacking)
})

it('the papers that are lacking are named, without the tests of the end', () => {
  expect(kindsLacking('papers', listed)).toEqual(['photo', 'first_aid'])
})
