import { expect, it } from 'vitest'
import { namesakesIn } from './namesakes.ts'

const anna = (id: string, more: object = {}) => ({
  ...{ id, first_name: 'Anna', last_name: 'Müller', phone: null, born: undefined, license_class: undefined },
  ...more,
})

it.each([
  ['nobody whose name is unique', [anna('1'), anna('2', { last_name: 'Maier' })], []],
  [
    'by birthday',
    [anna('1', { born: '1 May 2006' }), anna('2', { born: '2 May 2006', phone: '030' })],
    ['1 May 2006', '2 May 2006'],
  ],
  [
    'by class if the birthdays are the same',
    [anna('1', { born: 'x', license_class: 'A' }), anna('2', { born: 'x', license_class: 'B' })],
    ['A', 'B'],
  ],
  [
    'by phone, with a mark for the one without',
    [anna('1', { phone: '030 1' }), anna('2', { first_name: 'ANNA' })],
    ['030 1', '?'],
  ],
])('tells apart %s', (_, students, shown) => {
  expect([...namesakesIn(students).values()].map(({ short }) => short)).toEqual(shown)
})

it('lists birthday, class and phone in pickers', () => {
  const known = anna('1', { born: '1 May 2006', license_class: 'B', phone: '030 1' })
  expect(namesakesIn([known, anna('2')]).get('1')?.full).toBe('1 May 2006 · B · 030 1')
})
