import { daysLater } from '../../src/domain/local-time.ts'
import type { TestService } from './app.ts'
import type { School } from './factory.ts'
import { times } from './races.ts'
import { type StoredLesson, storeLessons } from './stored-lessons.ts'

const A_DAY = 8

/** Makes and deletes a student with future lessons, all with one instructor. */
export async function aDeletedStudent(service: TestService, school: School, lessonCount: number) {
  const { id: instructor_id } = await school.instructor()
  const { id: student_id } = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const lesson_type_id = school.lessonTypes.PRACTICE ?? ''
  const lessons = times(lessonCount, (at): StoredLesson => {
    const day = daysLater('2041-01-07', Math.floor(at / A_DAY))
    const hour = 8 + (at % A_DAY)
    const timeAt = (full: number) => `${day} ${String(full).padStart(2, '0')}:00`
    const times = { start_at: timeAt(hour), end_at: timeAt(hour + 1) }
    return { instructor_id, student_id, lesson_type_id, status: 'planned', ...times }
  })
  await storeLessons(service, school, lessons)
  await school.client.delete(`/students/${student_id}`)
  return { student_id, lessons }
}
