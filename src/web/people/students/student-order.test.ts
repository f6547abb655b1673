import { expect, it } from 'vitest'
import type { Student } from '../../../contract/student.ts'
import { BY_FIRST_NAME, inStudentOrder, type StudentOrder } from './student-order.ts'

const one = (id: string, first_name: string, last_name: string, email: string | null = null) =>
  ({ id, first_name, last_name, email, phone: null }) as Student

const ANNA = one('1', 'Anna', 'Zander', 'z@school.example')
const BERND = one('2', 'Bernd', 'Özil')
const CLARA = one('3', 'Clara', 'Olsen', 'a@school.example')
const STUDENTS = [ANNA, BERND, CLARA]
/** Returns progress with `done_units` of ten units driven, and some theory. */
const sum = (done_units: number) => ({
  ...{ done_units: done_units + 4, planned_units: 0, required_units: 20, ready: false },
  theory: { done_units: 4, planned_units: 0, required_units: 10 },
})
const known = {
  compare: new Intl.Collator('de').compare,
  classCode: ({ id }: Student) => (id === '1' ? 'B' : id === '2' ? 'A' : ''),
  trained: new Map([
    ['1', { progress: sum(2) }],
    ['2', { progress: sum(7) }],
    ['3', {}],
  ]),
}

it.each<[StudentOrder, readonly Student[]]>([
  [BY_FIRST_NAME, [ANNA, BERND, CLARA]],
  [{ by: 'given', isDown: true }, [CLARA, BERND, ANNA]],
  [{ by: 'family', isDown: false }, [CLARA, BERND, ANNA]],
  [{ by: 'class', isDown: false }, [BERND, ANNA, CLARA]],
  [{ by: 'class', isDown: true }, [ANNA, BERND, CLARA]],
  [{ by: 'progress', isDown: true }, [BERND, ANNA, CLARA]],
  [{ by: 'email', isDown: false }, [CLARA, ANNA, BERND]],
  [{ by: 'email', isDown: true }, [ANNA, CLARA, BERND]],
])('sorts students by %o, with missing values last', (order, expected) => {
  expect(inStudentOrder(STUDENTS, order, known)).toEqual(expected)
})
