import {
  changeAppointment,
  checkAppointment,
  connect,
  FahrplanError,
  listAppointments,
} from 'fahrplan-client'

const { FAHRPLAN_URL: url = '', FAHRPLAN_EMAIL: email = '', FAHRPLAN_PASSWORD: password = '' } = process.env
const client = connect({ url, login: { email, password } })
const today = new Date().toISOString().slice(0, 10)

const lessons = await listAppointments({ client, query: { from: today, status: 'planned' } })
const [lesson, other] = lessons.filter(({ student_id }) => student_id !== null)
if (!lesson || !other) throw new Error('There are not two lessons to try it with.')

try {
  // To the time of another lesson of the same instructor: the service refuses it, and says which lesson is in the way.
  const { instructor_id, start_at, end_at } = other
  await changeAppointment({ client, path: { id: lesson.id }, body: { instructor_id, start_at, end_at } })
} catch (error) {
  if (!FahrplanError.is(error, 'instructor_busy')) throw error
  console.log(`There is another lesson from ${error.params.start_at} to ${error.params.end_at}.`)
}

const { instructor_id, start_at, end_at } = other
const check = await checkAppointment({
  client,
  body: { appointment_id: lesson.id, instructor_id, start_at, end_at },
})
const [free] = check.alternatives
if (!free) throw new Error('There is no free time within two weeks.')
const moved = await changeAppointment({
  client,
  path: { id: lesson.id },
  // Nobody else may have changed the lesson since it was read.
  headers: { 'if-match': `"${lesson.version}"` },
  body: { instructor_id: free.instructor_id, start_at: free.start_at, end_at: free.end_at },
})
console.log(`Moved from ${lesson.start_at} to ${moved.start_at}.`)
