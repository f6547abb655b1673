import { bookAppointment, connect, findSlots, listLessonTypes, listStudents } from 'fahrplan-client'

const { FAHRPLAN_URL: url = '', FAHRPLAN_EMAIL: email = '', FAHRPLAN_PASSWORD: password = '' } = process.env
const client = connect({ url, login: { email, password } })
const [[student], [type]] = await Promise.all([listStudents({ client }), listLessonTypes({ client })])
const lesson = { student_id: student?.id, lesson_type_id: type?.id ?? '' }
const [slot] = await findSlots({ client, query: { ...lesson, limit: 1 } })
if (!slot) throw new Error('Nobody has time within four weeks.')
const { instructor_id, start_at, end_at } = slot
await bookAppointment({ client, body: { ...lesson, instructor_id, start_at, end_at } })
console.log(`Booked from ${start_at} to ${end_at}.`)
