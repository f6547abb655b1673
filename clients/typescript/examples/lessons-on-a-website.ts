import { connect, listAppointments, listLessonTypes } from 'fahrplan-client'

const { FAHRPLAN_URL: url = '', FAHRPLAN_EMAIL: email = '', FAHRPLAN_PASSWORD: password = '' } = process.env
const client = connect({ url, login: { email, password } })

// A script that runs every few minutes on the school's web server and writes the list: the page itself needs no login.
const today = new Date().toISOString().slice(0, 10)
const theory = (await listLessonTypes({ client })).filter(({ category }) => category === 'theory')
const ids = new Set(theory.map(({ id }) => id))
const lessons = await listAppointments({ client, query: { from: today, status: 'planned' } })
const rows = lessons
  .filter(({ lesson_type_id }) => ids.has(lesson_type_id))
  .map(({ start_at, title, attendees, seats }) => {
    const free = Math.max(0, (seats ?? 0) - attendees.length)
    return `<li>${start_at} ${escaped(title)}, ${free} free</li>`
  })
console.log(`<ul>\n${rows.join('\n')}\n</ul>`)

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
