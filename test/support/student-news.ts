import { queueMessages } from '../../src/db/messages/messages.ts'
import type { TestService } from './app.ts'
import { must } from './client.ts'
import type { Row, School } from './factory.ts'
import { StudentBrowser } from './student-browser.ts'

type People = { readonly instructor: string; readonly student: string; readonly page: string }

const TIMES = { start_at: '2031-03-21 08:00', end_at: '2031-03-21 09:30' } as const

/** Makes news for the inbox: a student wishes for times, confirms and cancels a lesson, and is not reached by a message about it. */
export async function makeNews(
  service: TestService,
  school: School,
  { instructor: instructor_id, student: student_id, page }: People,
): Promise<void> {
  const { client } = school
  const allow = async (student_actions: object) =>
    must(200, await client.patch('/tenant', { student_actions }))
  await allow({ confirm: true, cancel: true, wish: true, proof: 'none' })
  const lesson: Row = await school.lesson({ instructor_id, student_id, ...TIMES })
  const browser = new StudentBrowser(service, page)
  await browser.pressWish({ act: 'wish', weekday: '6', time_from: '08:00', minutes: '45' })
  await browser.submit(lesson.id, 'confirm')
  await browser.submit(lesson.id, 'cancel')
  await allow({ confirm: false, cancel: false, wish: false, proof: 'birth_date' })
  const now = new Date()
  const message = {
    student_id,
    lessons: [{ appointment_id: lesson.id, instructor_id, ...TIMES, was: null }],
    to_address: null,
    send_at: now,
    worth_until: new Date('2031-03-21T07:00:00Z'),
  }
  await queueMessages(service.db, school.tenantId, now, [
    { ...message, kind: 'moved', channel: 'mail' },
    { ...message, kind: 'cancelled', channel: 'mail' },
  ])
}
